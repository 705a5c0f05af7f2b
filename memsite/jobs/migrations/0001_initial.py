import django.utils.timezone
import memsite.values
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ("django_q", "0019_alter_task_options_alter_ormq_key_alter_ormq_lock_and_more"),
    ]

    operations = [
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('worker', models.UUIDField(primary_key=True, serialize=False)),
                ('place', models.CharField(max_length=100)),
                ('process', models.IntegerField()),
                ('process_started', models.BigIntegerField()),
                ('at', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='Lease',
            fields=[
                ('name', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('token', models.UUIDField(unique=True)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('claim', models.UUIDField(blank=True, db_index=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False)),
                ('task', models.CharField(max_length=200)),
                ('args', models.JSONField(default=list)),
                ('owner_id', models.UUIDField(blank=True, null=True)),
                ('unique_key', models.CharField(blank=True, max_length=200, null=True)),
                ('timeout', models.PositiveIntegerField(default=60)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('dead', 'Dead')], default='queued', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error', models.CharField(blank=True, default='', max_length=500)),
                ('result', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('run_after', models.DateTimeField(default=django.utils.timezone.now)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('claim', models.UUIDField(blank=True, null=True)),
                ('worker', models.UUIDField(blank=True, null=True)),
                ('process', models.IntegerField(blank=True, null=True)),
                ('process_started', models.BigIntegerField(blank=True, null=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('ticket', models.BigIntegerField(blank=True, null=True)),
                ('ticketed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'queued')), fields=['run_after'], name='jobs_job_queued'), models.Index(condition=models.Q(('status', 'running')), fields=['worker'], name='jobs_job_running'), models.Index(fields=['finished_at'], name='jobs_job_finished'), models.Index(fields=['owner_id', 'created_at'], name='jobs_job_owner')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'queued')), fields=('unique_key',), name='jobs_job_one_queued_per_key'), models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done', 'failed', 'dead'])), name='jobs_job_status_known')],
            },
        ),
        # django-q2 looks for the next ticket five times a second, and has no index for it.
        migrations.RunSQL(
            "CREATE INDEX jobs_next_ticket ON django_q_ormq (key, lock, id)",
            "DROP INDEX IF EXISTS jobs_next_ticket",
        ),
    ]
