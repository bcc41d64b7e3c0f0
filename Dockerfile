# One image for every service and both pages; which service runs is the command. See docker-compose.yml.

FROM node:20-slim AS build
WORKDIR /app
COPY . .
# The programs and pages; then the packages that the services import, without those that only `npm start` needs.
RUN npm ci --no-audit --no-fund && npm run build && mv .build/* /programs \
  && find /programs -type l -delete && mkdir /programs/pages \
  && for page in web-player web-admin; do rm "$page/dist/.built" && mv "$page/dist" "/programs/pages/$page" || exit 1; done \
  && rm -rf /programs/bench /programs/e2e /programs/simulator /programs/libs/testing /programs/libs/runtime/postgres \
  && npm ci --omit=dev --prefer-offline --no-audit --no-fund \
    $(ls -d services/*/ | grep -v -e standalone -e cli | sed 's/^/--workspace=/') \
  && rm -rf ~/.npm node_modules/typescript node_modules/@typescript node_modules/*vite* node_modules/@vite* node_modules/*rolldown* \
    node_modules/happy-dom node_modules/playwright-core node_modules/lightningcss* node_modules/@types \
  && find . -not -path '*/node_modules/*' -type f -delete \
  && find node_modules libs services \( -name '*.map' -o -name '*.d.ts' -o -name '*.browser.*' \
    -o -name '*.native.*' -o -name '*.md' \) -type f -delete

FROM node:20-slim
WORKDIR /app
COPY --from=build /app .
COPY --from=build /programs .
# What a process keeps lies in a volume; the rest of the file system may be read-only.
RUN install -d -o node -g node -m 700 /data
USER node
# A larger young space: what a bet leaves behind dies there and is not copied first, a fifth of a gateway's time.
ENV NODE_OPTIONS=--max-semi-space-size=64
ENV NODE_ENV=production HOST=0.0.0.0 STATUS_PORT=9090 STATUS_HOST=0.0.0.0 \
  DATA_DIR=/data WEB_ROOT=/app/pages/web-player ADMIN_WEB_ROOT=/app/pages/web-admin
EXPOSE 8080 8081 9090
# Last, so that another commit rebuilds nothing: `npm run image` sets both.
ARG VERSION=unknown COMMIT=
ENV BUILD_COMMIT=$COMMIT
LABEL org.opencontainers.image.title=reelbook org.opencontainers.image.licenses=Apache-2.0 \
  org.opencontainers.image.version=$VERSION org.opencontainers.image.revision=$COMMIT
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9090 && printf 'GET /ready HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["node", "services/gateway/main.js"]
