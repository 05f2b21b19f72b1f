package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads, checks and writes tags ("Tag restrictions", Amazon EC2 User Guide). */
final class TagRules {
  private static final int KEY_LENGTH_MAX = 127;
  private static final int VALUE_LENGTH_MAX = 256;

  private TagRules() {}

  /**
   * The tags that a creation gives to what it makes.
   *
   * @throws Refusal when a specification is about another kind, or a tag breaks a rule
   */
  static Tags ofNew(Call call, ResourceType type) {
    return ofNew(call, type, List.of());
  }

  /**
   * The same for an action that makes several kinds, whose other specifications are passed over.
   *
   * @param others kinds that may be specified too, by the names that tags use
   */
  static Tags ofNew(Call call, ResourceType type, List<String> others) {
    SortedMap<String, String> tags = new TreeMap<>();
    for (Parameters specification : call.parameters().structures("TagSpecification")) {
      String kind = specification.text("ResourceType").orElse("");
      if (kind.equals(type.tagName())) {
        tags.putAll(read(specification));
      } else if (!others.contains(kind)) {
        throw Refusal.of(
            "InvalidParameterValue",
            "'" + kind + "' is not a valid taggable resource type for this operation.");
      }
    }
    return checked(call, Tags.of(tags));
  }

  /** The tags listed in {@code Tag.1.Key}, {@code Tag.1.Value} and so on. */
  static Map<String, String> read(Parameters parameters) {
    SortedMap<String, String> tags = new TreeMap<>();
    for (Parameters tag : parameters.structures("Tag")) {
      String key = tag.text("Key").orElse("");
      if (tag.text("Value").isEmpty()) {
        throw Refusal.of(
            "InvalidParameterValue", "Tag value cannot be null. Use empty string instead.");
      }
      requireKey(key);
      String value = tag.need("Value");
      if (value.length() > VALUE_LENGTH_MAX) {
        throw Refusal.of(
            "InvalidParameterValue",
            "Tag value exceeds the maximum length of " + VALUE_LENGTH_MAX + " characters");
      }
      if (tags.put(key, value) != null) {
        throw Refusal.of("InvalidParameterValue", "Duplicate tag key '" + key + "' specified.");
      }
    }
    return tags;
  }

  /** Refuses more tags than a resource may have. */
  static Tags checked(Call call, Tags tags) {
    if (tags.size() > call.region().quotas().tags()) {
      throw Refusal.of(
          "TagLimitExceeded", "The maximum number of Tags for a resource has been reached.");
    }
    return tags;
  }

  static void requireKey(String key) {
    if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
      throw Refusal.of(
          "InvalidParameterValue",
          "Tag key '" + key + "' is not valid; it has 1 to " + KEY_LENGTH_MAX + " characters");
    }
    if (key.regionMatches(true, 0, "aws:", 0, 4)) {
      throw Refusal.of(
          "InvalidParameterValue", "Tag keys starting with 'aws:' are reserved for internal use");
    }
  }

  /** Writes {@code tagSet}. */
  static Answer.Builder write(Answer.Builder answer, Tags tags) {
    return answer.items(
        "tagSet",
        tags.values().entrySet(),
        tag -> Answer.builder().text("key", tag.getKey()).text("value", tag.getValue()).build());
  }
}
