//! A study in a browser.

mod attempts;
mod idle;
mod judges;
mod live;
mod pages;
mod people;
mod study;
mod tournaments;
