# The server and its page in a container: docs/install.md says how. `docker compose` reads compose.yaml beside it.

FROM python:3.11-slim AS build
# Which torch: cpu, or what `uv pip install --help` lists under --torch-backend. Which extras: server, or server,ocr.
ARG TORCH=cpu
ARG EXTRAS=server
RUN pip install --no-cache-dir uv==0.13.9
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE streamlit_app.py ./
COPY .streamlit .streamlit
COPY assets assets
COPY pretrained pretrained
COPY explorer explorer
COPY engine engine
RUN uv build --wheel --build-constraints constraints.txt --out-dir /wheel
RUN uv venv --python /usr/local/bin/python /opt/priorscope \
    && uv pip install --no-cache --python /opt/priorscope --torch-backend "$TORCH" \
       --constraints constraints.txt "priorscope[$EXTRAS] @ file://$(echo /wheel/*.whl)"

FROM python:3.11-slim
RUN useradd --uid 1000 --create-home priorscope \
    && install --directory --owner priorscope --group priorscope --mode 700 /home/priorscope/.priorscope
COPY --from=build /opt/priorscope /opt/priorscope
# The root may be read-only: what Python and numba compile goes to /tmp, what a person keeps to the volume.
ENV PATH=/opt/priorscope/bin:$PATH \
    NUMBA_CACHE_DIR=/tmp/numba \
    PYTHONPYCACHEPREFIX=/tmp/python \
    PYTHONUNBUFFERED=1
USER 1000
WORKDIR /home/priorscope
VOLUME /home/priorscope/.priorscope
EXPOSE 8600
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8600/v1/health', timeout=5)"]
ENTRYPOINT ["priorscope"]
CMD ["serve", "--address", "0.0.0.0", "--port", "8600", "--app"]
