# The site without its embedded database: give it one by DATABASE_URL (compose.yaml does).
FROM python:3.12-slim

RUN useradd --system --create-home --home-dir /var/lib/memsite memsite
WORKDIR /opt/memsite

COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY manage.py ./
COPY memsite memsite/
COPY memories memories/
COPY threads threads/
COPY templates templates/
COPY static static/
COPY locale locale/
COPY porting porting/
COPY evaluation evaluation/
COPY bench bench/

USER memsite
ENV MEMSITE_DATA_DIR=/var/lib/memsite MEMSITE_HOST=0.0.0.0 PORT=8000 PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# Stops on SIGTERM within 15 seconds.
CMD ["python", "manage.py", "run"]
