from django.db import migrations, models

_STATUSES = ["queued", "running", "done", "failed", "dead", "skipped"]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="status",
            field=models.CharField(
                choices=[(status, status.capitalize()) for status in _STATUSES], default="queued", max_length=8
            ),
        ),
        migrations.RemoveConstraint(model_name="job", name="jobs_job_status_known"),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", _STATUSES)), name="jobs_job_status_known"
            ),
        ),
    ]
