# One image for every service; which one runs is the command. See docker-compose.yml.
FROM node:22-slim
WORKDIR /app
COPY . .
RUN npm ci --omit=dev --no-audit --no-fund \
  && npx vite build web-player \
  && npx vite build web-admin \
  && npm cache clean --force
USER node
# A larger young space: what a bet leaves behind dies there and is not copied first, a fifth of a gateway's time.
ENV NODE_OPTIONS=--max-semi-space-size=64
ENV NODE_ENV=production HOST=0.0.0.0 WEB_ROOT=/app/web-player/dist
EXPOSE 8080
CMD ["node", "--import", "tsx", "services/gateway/main.ts"]
