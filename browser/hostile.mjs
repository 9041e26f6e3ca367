// What a stranger writes where text is expected. The second of a pair is what a page shows instead: what cannot be
// seen, or turns the direction of text, is written as the escape of JSON; all else stands as it is.

/** Calls that would show that a text has run: the page's checks look for `window.ran`. */
const RUN = 'window.ran=1';

export const HOSTILE = [
  [`<script>${RUN}</script>`],
  [`</script><script>${RUN}</script>`],
  [`<img src=x onerror=${RUN}>`],
  [`<svg/onload=${RUN}>`],
  [`<svg><animate onbegin=${RUN} attributeName=x dur=1s>`],
  [`<body onload=${RUN}>`],
  [`<iframe srcdoc="<script>parent.ran=1</script>">`],
  [`<iframe src="javascript:parent.ran=1">`],
  [`<object data="data:text/html,<script>ran=1</script>">`],
  [`<embed src="https://evil.test/x.swf">`],
  [`<link rel=stylesheet href=https://evil.test/x.css>`],
  [`<style>@import 'https://evil.test/x.css';</style>`],
  [`<style>*{display:none!important}</style>`],
  [`<meta http-equiv=refresh content="0;url=https://evil.test/">`],
  [`<base href="https://evil.test/">`],
  [`<form action=https://evil.test/><button>go</button></form>`],
  [`<a href="javascript:${RUN}">follow me</a>`],
  [`<details open ontoggle=${RUN}>`],
  [`<input autofocus onfocus=${RUN}>`],
  [`<video><source onerror=${RUN}></video>`],
  [`<math><mtext></p><img src=x onerror=${RUN}>`],
  [`<noscript><p title="</noscript><img src=x onerror=${RUN}>">`],
  [`<template><script>${RUN}</script></template>`],
  [`<textarea></textarea><title></title><plaintext>`],
  [`<!--><img src=x onerror=${RUN}>-->`],
  [`<![CDATA[><script>${RUN}</script>]]>`],
  [`" autofocus onfocus="${RUN}" x="`],
  [`' onmouseover='${RUN}' x='`],
  ['`onmouseover=`' + RUN + '`'],
  [`"></bdi></td></table></section><script>${RUN}</script>`],
  [`&lt;script&gt;${RUN}&lt;/script&gt;`],
  [`&#60;img src=x onerror=${RUN}&#62; &amp;amp; &nbsp;`],
  [`{{ 7*7 }}{% raw %}{# no #}\${7*7}`],
  [`javascript:${RUN}//https://evil.test/`],
  [`url("https://evil.test/x.png") expression(${RUN})`],
  ['\u202egnp.exe\u2066 reversed', '\\u202egnp.exe\\u2066 reversed'],
  ['\u001b[2J\u001b]8;;https://evil.test\u0007link', '\\u001b[2J\\u001b]8;;https://evil.test\\u0007link'],
  ['nul\u0000bell\u0007del\u007fcsi\u009b31m', 'nul\\u0000bell\\u0007del\\u007fcsi\\u009b31m'],
  ['zero\u200bwidth\ufeff tag\u{e0041}', 'zero\\u200bwidth\\ufeff tag\\udb40\\udc41'],
  ['Z̸̡̢a̵̧l̷g̶o̴ ﷽ 👩‍💻'],
].map(([text, shown]) => ({ text, shown: shown ?? text }));

/** The strings as identifiers, in which a TREC file holds no white space and no control character. */
export const IDENTIFIERS = HOSTILE.map(({ text, shown }) => ({
  text: text.replace(/[ \t]+/g, '_').replace(/[\u0000-\u001f\u007f-\u009f]/g, '^'),
  shown: shown.replace(/[ \t]+/g, '_').replace(/\\u00[0189][0-9a-f]|\\u007f/g, '^'),
}));
