# syntax=docker/dockerfile:1
# The image of both servers and of the operator's command: the file tree of `pnpm release`, on a slim base, without root.
# docs/operations/containers.md describes it. Give the images with their digests to pin them: --build-arg BASE_IMAGE=debian@sha256:…
ARG BUILD_IMAGE=node:24.21.0-bookworm
ARG BASE_IMAGE=debian:12.12-slim

FROM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile && npx -y pnpm@12 release
RUN mkdir -p /image/linnet /image/data \
  && tar -xzf release/linnet-*.tar.gz --strip-components=1 -C /image/linnet

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Linnet" \
  org.opencontainers.image.licenses="MIT"
# The bill of materials is /opt/linnet/sbom.cdx.json.
COPY --from=build /image/linnet /opt/linnet
# The only folder that is written to.
COPY --from=build --chown=65532:65532 --chmod=0700 /image/data /var/lib/linnet
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/linnet \
  PATH=/opt/linnet/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
WORKDIR /var/lib/linnet
VOLUME /var/lib/linnet
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=2 \
  CMD ["/opt/linnet/node/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["linnet", "start"]
