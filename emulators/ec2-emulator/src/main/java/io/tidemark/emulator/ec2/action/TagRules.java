package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Ec2Tags;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
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
   * @throws Ec2Refusal when a specification is about another kind, or a tag breaks a rule
   */
  static Ec2Tags ofNew(Call call, ResourceType type) {
    return ofNew(call, type, List.of());
  }

  /** The same for RunInstances, which makes several kinds; specifications of others are skipped. */
  static Ec2Tags ofLaunch(Call call, ResourceType type) {
    return ofNew(
        call,
        type,
        List.of(
            ResourceType.INSTANCE.tagName(),
            ResourceType.NETWORK_INTERFACE.tagName(),
            "volume",
            "spot-instances-request"));
  }

  private static Ec2Tags ofNew(Call call, ResourceType type, List<String> others) {
    SortedMap<String, String> tags = new TreeMap<>();
    for (Parameters specification : call.parameters().structures("TagSpecification")) {
      String kind = specification.text("ResourceType").orElse("");
      if (kind.equals(type.tagName())) {
        tags.putAll(read(specification));
      } else {
        Ec2Refusal.when(
            !others.contains(kind),
            "InvalidParameterValue",
            "'%s' is not a valid taggable resource type for this operation.",
            kind);
      }
    }
    return checked(call, Ec2Tags.of(tags));
  }

  /** The tags listed in {@code Tag.1.Key}, {@code Tag.1.Value} and so on. */
  static Map<String, String> read(Parameters parameters) {
    SortedMap<String, String> tags = new TreeMap<>();
    for (Parameters tag : parameters.structures("Tag")) {
      String key = tag.text("Key").orElse("");
      Ec2Refusal.when(
          tag.text("Value").isEmpty(),
          "InvalidParameterValue",
          "Tag value cannot be null. Use empty string instead.");
      requireKey(key);
      String value = tag.need("Value");
      Ec2Refusal.when(
          value.length() > VALUE_LENGTH_MAX,
          "InvalidParameterValue",
          "Tag value exceeds the maximum length of %s characters",
          VALUE_LENGTH_MAX);
      Ec2Refusal.when(
          tags.put(key, value) != null,
          "InvalidParameterValue",
          "Duplicate tag key '%s' specified.",
          key);
    }
    return tags;
  }

  /** Refuses more tags than a resource may have. */
  static Ec2Tags checked(Call call, Ec2Tags tags) {
    Ec2Refusal.when(
        tags.size() > call.region().quota(Quota.TAGS),
        "TagLimitExceeded",
        "The maximum number of Tags for a resource has been reached.");
    return tags;
  }

  static void requireKey(String key) {
    Ec2Refusal.when(
        key.isEmpty() || key.length() > KEY_LENGTH_MAX,
        "InvalidParameterValue",
        "Tag key '%s' is not valid; it has 1 to %s characters",
        key,
        KEY_LENGTH_MAX);
    Ec2Refusal.when(
        key.regionMatches(true, 0, "aws:", 0, 4),
        "InvalidParameterValue",
        "Tag keys starting with 'aws:' are reserved for internal use");
  }

  /** The elements of {@code tagSet}. */
  static List<Answer> shown(Ec2Tags tags) {
    return tags.values().entrySet().stream()
        .map(tag -> Answer.of("key", tag.getKey()).put("value", tag.getValue()))
        .toList();
  }
}
