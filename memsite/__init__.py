"""The Django site: settings and URLs, accounts, jobs, models, metering, API and page infrastructure."""
