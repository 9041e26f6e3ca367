#!/usr/bin/env bash
# Runs a study in CI: judges what is new, tests the gates of llull.toml, and writes what a pull request shows.
#
#   LLULL_STUDY    the study's folder (default: the current one)
#   LLULL_OUTPUT   the folder for the results (default: llull-results)
#   LLULL_MAX_USD  the most US dollars of this run (default: no limit)
#   LLULL_CHANGED  the folder of earlier results, by the same judges: its labels count, and only pairs that are new or
#                  have another text are judged. Only needed where the ledger is not saved
#   LLULL_AGAINST  an earlier report.json, or its number in the history: the changes since are written to changes.md
#
# The exit code is that of llull run: 0 passed, 3 judgments are missing, 100 a gate failed, others are errors.
set -euo pipefail

study=${LLULL_STUDY:-.}
output=${LLULL_OUTPUT:-llull-results}
mkdir -p "$output"
if [[ -n ${LLULL_CHANGED:-} && $LLULL_CHANGED -ef $output ]]; then
    echo "LLULL_CHANGED and LLULL_OUTPUT are one folder, $output, which this run replaces: restore the earlier" \
        "results to another folder, and name that in LLULL_CHANGED" >&2
    exit 1
fi
# What an earlier run left here must not pass for the results of one that ended with an error.
rm -f "$output"/{junit.xml,comment.md,report.json,report.html,labels.qrels,changes.md}

options=(--junit "$output/junit.xml" --comment "$output/comment.md")
if [[ -n ${LLULL_MAX_USD:-} ]]; then
    options+=(--max-usd "$LLULL_MAX_USD")
fi
if [[ -n ${LLULL_CHANGED:-} ]]; then
    options+=(--changed "$LLULL_CHANGED")
fi
if [[ ${GITHUB_ACTIONS:-} == true ]]; then
    options+=(--github)
fi

code=0
llull -C "$study" run "${options[@]}" || code=$?
case $code in
    0 | 3 | 100) ;;
    *) exit "$code" ;;
esac

for file in report.json report.html labels.qrels; do
    if [[ -f $study/$file ]]; then
        cp "$study/$file" "$output/"
    fi
done
# With these the folder is a report that later jobs compare with, and whose labels they keep.
if [[ -d $study/.llull/reports ]]; then
    mkdir -p "$output/.llull"
    rm -rf "$output/.llull/reports"
    cp -R "$study/.llull/reports" "$output/.llull/"
fi
if [[ -n ${LLULL_AGAINST:-} ]]; then
    changes=0
    llull -C "$study" compare --against "$LLULL_AGAINST" --format markdown >"$output/changes.md" || changes=$?
    case $changes in
        0 | 3 | 100) ;;
        *) exit "$changes" ;;
    esac
fi
exit "$code"
