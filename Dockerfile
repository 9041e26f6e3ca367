# The program alone: docker build -t llull . && docker run --rm --user "$(id -u)" -v "$PWD:/study" llull run
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make && rm -rf /var/lib/apt/lists/*
WORKDIR /llull
COPY . .
RUN cargo build --locked --profile dist --package llull-cli --bin llull

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
COPY --from=build /llull/target/dist/llull /usr/local/bin/llull
COPY LICENSE THIRD-PARTY.md /usr/share/doc/llull/
USER 1000
WORKDIR /study
ENTRYPOINT ["llull"]
