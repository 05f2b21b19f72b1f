package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.protocol.Field;

/** Parameters that many actions take. */
final class Fields {
  static final Field DRY_RUN = Field.flag("DryRun");

  static final Field FILTERS = Field.structures("Filter", Field.text("Name"), Field.texts("Value"));

  static final Field MAX_RESULTS = Field.integer("MaxResults");

  static final Field NEXT_TOKEN = Field.text("NextToken");

  static final Field TAGS = Field.structures("Tag", Field.text("Key"), Field.text("Value"));

  static final Field TAG_SPECIFICATIONS =
      Field.structures("TagSpecification", Field.text("ResourceType"), TAGS);

  private Fields() {}
}
