"""Usage of models is seen by its owner alone."""

from django.db import migrations

from memsite.serving.postgres import owner_policy

TABLES = (
    "metering_modelusage",
)


class Migration(migrations.Migration):
    dependencies = [("metering", "0001_initial")]

    operations = [owner_policy(table) for table in TABLES]
