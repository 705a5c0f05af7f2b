"""Several relations a memory, aliases as relations, entities' newest memories by an index, rebuilds that go on."""

import django.db.models.deletion
import django.utils.timezone
import memsite.values
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memories', '0004_slot'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='GraphRebuild',
            fields=[
                ('id', models.UUIDField(default=memsite.values.new_id, editable=False, primary_key=True, serialize=False)),
                ('through', models.UUIDField(blank=True, null=True)),
                ('rules', models.IntegerField()),
                ('finished', models.BooleanField(default=False)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.RemoveConstraint(
            model_name='relation',
            name='memories_relation_one_a_memory',
        ),
        migrations.RemoveIndex(
            model_name='mention',
            name='memories_mention_entity',
        ),
        migrations.RemoveField(
            model_name='entity',
            name='aliases',
        ),
        migrations.AddIndex(
            model_name='mention',
            index=models.Index(fields=['owner', 'entity', 'memory'], name='memories_mention_newest'),
        ),
        migrations.AddIndex(
            model_name='relation',
            index=models.Index(condition=models.Q(('predicate', 'also_known_as')), fields=['owner', 'memory'], name='memories_relation_same'),
        ),
        migrations.AddConstraint(
            model_name='relation',
            constraint=models.UniqueConstraint(fields=('owner', 'memory', 'subject', 'predicate', 'object'), name='memories_relation_once'),
        ),
        migrations.AddField(
            model_name='graphrebuild',
            name='owner',
            field=models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='graphrebuild',
            constraint=models.UniqueConstraint(fields=('owner', 'id'), name='memories_graphrebuild_owner_id'),
        ),
        migrations.AddConstraint(
            model_name='graphrebuild',
            constraint=models.UniqueConstraint(fields=('owner',), name='memories_graphrebuild_one_an_owner'),
        ),
    ]
