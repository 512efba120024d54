# The steps are tried without Docker by scripts/try-image-steps.sh: change both.

FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build ./scripts/build
COPY src ./src
# A part of the version: docker build --build-arg BUILD_COMMIT=$(git rev-parse --short HEAD) .
ARG BUILD_COMMIT
RUN npm run build && npm prune --omit=dev

FROM base
WORKDIR /app
ENV NODE_ENV=production NOTIF_DATA_DIR=/data HOST=*
# glibc then gives back what V8's compiler of WebAssembly took: 60 MB less.
ENV MALLOC_TRIM_THRESHOLD_=131072
RUN install --directory --owner=node --group=node /data
COPY package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${(process.env.PORT ?? '').replace(/\\D/g, '') || 3000}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Not by npm: it does not hand SIGTERM on, and the process must hear it to stop in order. By itself Node 24 may keep for good what its heap
# took once, 100 MB after reading a backlog; with the flag it gives it back.
CMD ["node", "--optimize-for-size", "dist/main.js"]
