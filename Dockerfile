# syntax=docker/dockerfile:1
# npm run executable, then: docker build -t sandbox-emulator .   For arm64: npm run executable -- --target linux-arm64, --platform linux/arm64
# Of the base it takes the C and C++ libraries only: distroless, debian:12-slim, or anything else with glibc 2.28 and libstdc++.
ARG BASE=gcr.io/distroless/cc-debian12:nonroot
# Set by the builder.
ARG TARGETARCH
# Only the stage of the processor that is built for is looked at; the other's executable need not be there.
# hadolint ignore=DL3006
FROM ${BASE} AS processor-amd64
COPY --chmod=755 dist-executable/sandbox-emulator-linux-x64 /usr/local/bin/sandbox-emulator

# hadolint ignore=DL3006
FROM ${BASE} AS processor-arm64
COPY --chmod=755 dist-executable/sandbox-emulator-linux-arm64 /usr/local/bin/sandbox-emulator

# hadolint ignore=DL3006
FROM processor-${TARGETARCH}

# The emulator answers this machine's own programs only, unless it is told by which names others call it.
ENV SANDBOX_EMULATOR_HOST=0.0.0.0 \
    SANDBOX_EMULATOR_ALLOW_HOST=sandbox-emulator,host.docker.internal

USER 65532:65532
WORKDIR /home/nonroot
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["/usr/local/bin/sandbox-emulator", "ps", "--json"]
ENTRYPOINT ["/usr/local/bin/sandbox-emulator"]
CMD ["start"]
