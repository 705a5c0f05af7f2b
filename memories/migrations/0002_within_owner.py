"""References between an owner's rows carry the owner: none can cross to another's."""

from django.db import migrations

from memsite.accounts.owned import owner_foreign_key

MEMORY = "memories_memory"
ENTITY = "memories_entity"


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial")]

    operations = [
        owner_foreign_key("memories_memoryembedding", "memory_id", MEMORY),
        owner_foreign_key("memories_memorylink", "memory_id", MEMORY),
        owner_foreign_key("memories_memorylink", "other_id", MEMORY),
        owner_foreign_key("memories_memorysource", "memory_id", MEMORY),
        owner_foreign_key("memories_memoryaccess", "memory_id", MEMORY),
        owner_foreign_key("memories_mention", "memory_id", MEMORY),
        owner_foreign_key("memories_mention", "entity_id", ENTITY),
        owner_foreign_key("memories_relation", "memory_id", MEMORY),
        owner_foreign_key("memories_relation", "subject_id", ENTITY),
        owner_foreign_key("memories_relation", "object_id", ENTITY),
    ]
