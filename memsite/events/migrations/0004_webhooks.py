"""Webhooks and their deliveries. Both are seen by their owner alone."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import memsite.values
from django.conf import settings
from django.db import migrations, models

from memsite.serving.postgres import owner_policy

TABLES = ("events_webhook", "events_webhookdelivery")
#: A delivery is one of its owner's webhooks, and is deleted with it.
WITHIN_OWNER = "events_webhookdelivery_webhook_id_within_owner"


class Migration(migrations.Migration):

    dependencies = [
        ('events', '0003_stream_claims'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='eventcounter',
            name='has_webhooks',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False)),
                ('url', models.CharField(max_length=2000)),
                ('types', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=64), default=list, size=None)),
                ('payload', models.CharField(choices=[('thin', 'Thin'), ('full', 'Full')], default='thin', max_length=8)),
                ('secret', models.TextField(editable=False)),
                ('previous_secret', models.TextField(blank=True, default='', editable=False)),
                ('previous_until', models.DateTimeField(null=True)),
                ('off_since', models.DateTimeField(null=True)),
                ('off_reason', models.CharField(blank=True, choices=[('switched_off', 'Switched_Off'), ('gone', 'Gone'), ('failing', 'Failing')], default='', max_length=16)),
                ('cursor', models.BigIntegerField()),
                ('failures', models.PositiveIntegerField(default=0)),
                ('failing_since', models.DateTimeField(null=True)),
                ('paused_until', models.DateTimeField(null=True)),
                ('attempted_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField()),
                ('owner', models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False)),
                ('number', models.BigIntegerField(null=True)),
                ('type', models.CharField(max_length=32)),
                ('data', models.JSONField()),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('delivered', 'Delivered'), ('failed', 'Failed')], default='pending', max_length=16)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('created_at', models.DateTimeField()),
                ('next_attempt_at', models.DateTimeField()),
                ('attempted_at', models.DateTimeField(null=True)),
                ('duration_ms', models.PositiveIntegerField(null=True)),
                ('status_code', models.PositiveSmallIntegerField(null=True)),
                ('error', models.CharField(blank=True, default='', max_length=16)),
                ('response', models.TextField(blank=True, default='')),
                ('owner', models.ForeignKey(db_constraint=False, db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('webhook', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='events.webhook')),
            ],
            options={
                'verbose_name_plural': 'webhook deliveries',
            },
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(fields=('owner', 'id'), name='events_webhook_owner_id'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('off_reason', ''), ('off_since__isnull', True)), models.Q(('off_reason__in', ['switched_off', 'gone', 'failing']), ('off_since__isnull', False)), _connector='OR'), name='events_webhook_off_has_a_reason'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['owner', 'webhook', 'next_attempt_at'], name='events_webhookdelivery_due'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['owner', 'webhook', 'created_at', 'id'], name='events_webhookdelivery_list'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=django.contrib.postgres.indexes.BrinIndex(fields=['created_at'], name='events_webhookdelivery_age'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.UniqueConstraint(fields=('owner', 'id'), name='events_webhookdelivery_owner_id'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=models.UniqueConstraint(fields=('owner', 'webhook', 'number'), name='events_webhookdelivery_once'),
        ),
        migrations.RunSQL(
            f"ALTER TABLE events_webhookdelivery ADD CONSTRAINT {WITHIN_OWNER} FOREIGN KEY (owner_id, webhook_id)"
            " REFERENCES events_webhook (owner_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
            f"ALTER TABLE events_webhookdelivery DROP CONSTRAINT {WITHIN_OWNER}",
        ),
        *[owner_policy(table) for table in TABLES],
    ]
