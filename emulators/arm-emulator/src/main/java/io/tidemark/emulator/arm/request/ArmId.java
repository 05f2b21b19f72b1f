package io.tidemark.emulator.arm.request;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The id of a resource, with or without a group: pairs of type and name behind a provider's
 * namespace. Equal to every id that differs in upper and lower case alone. Immutable.
 */
public final class ArmId implements Comparable<ArmId> {
  private final String text;
  private final String key;
  private final List<String> segments;

  private ArmId(String text) {
    this.text = text;
    this.key = text.toLowerCase(Locale.ROOT);
    this.segments = List.of(text.substring(1).split("/", -1));
  }

  /** The id of a text that begins with a slash; empty when a segment is missing or empty. */
  public static Optional<ArmId> parse(String text) {
    if (!text.startsWith("/") || text.contains("//") || text.endsWith("/")) {
      return Optional.empty();
    }
    return Optional.of(new ArmId(text));
  }

  /**
   * The id of a text that was checked before.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static ArmId of(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a resource id"));
  }

  /** The id of a part of this resource. */
  public ArmId child(String type, String name) {
    return new ArmId(text + "/" + type + "/" + name);
  }

  /** The id as it was spelled. */
  public String text() {
    return text;
  }

  /** The name of the part of this type, {@code resourceGroups} for example; empty without one. */
  public Optional<String> name(String type) {
    for (int i = 0; i + 1 < segments.size(); i += 2) {
      if (segments.get(i).equalsIgnoreCase(type)) {
        return Optional.of(segments.get(i + 1));
      }
    }
    return Optional.empty();
  }

  /** The subscription. */
  public String subscription() {
    return name("subscriptions").orElse("");
  }

  /** Whether it is of this resource provider. */
  public boolean isOf(String provider) {
    return name("providers").filter(provider::equalsIgnoreCase).isPresent();
  }

  /** The provider and its types, as actions name them; empty text without a provider. */
  public String type() {
    StringBuilder type = new StringBuilder();
    for (int i = 0; i + 1 < segments.size(); i += 2) {
      if (segments.get(i).equalsIgnoreCase("providers")) {
        type.setLength(0);
        type.append(segments.get(i + 1));
      } else if (type.length() > 0) {
        type.append('/').append(segments.get(i));
      }
    }
    return type.toString();
  }

  /** The last segment. */
  public String name() {
    return segments.get(segments.size() - 1);
  }

  /** The id up to its first {@code count} segments. */
  ArmId first(int count) {
    return new ArmId("/" + String.join("/", segments.subList(0, count)));
  }

  /** The id of the resource whose list this path names: all but the last segment. */
  public ArmId owner() {
    return first(segments.size() - 1);
  }

  /** The id of the group. */
  public String group() {
    return first(Math.min(4, segments.size())).text();
  }

  /** The scope whose resources a list of this path has: a group, or the subscription. */
  public String scopeOfList() {
    return name("resourceGroups").isPresent() ? group() : "/subscriptions/" + subscription();
  }

  /** The scope that a path of C15 asks about. */
  public ArmId scopeOfPermissions() {
    int end = text.length() - Operation.PERMISSIONS.length();
    return end > 0 ? new ArmId(text.substring(0, end)) : new ArmId("/");
  }

  /** The id without its last type and name. */
  public ArmId parent() {
    return first(segments.size() - 2);
  }

  List<String> segments() {
    return segments;
  }

  /** Whether this is {@code scope} or below it. */
  public boolean isWithin(String scope) {
    String above = scope.toLowerCase(Locale.ROOT);
    return above.equals("/") || key.equals(above) || key.startsWith(above + "/");
  }

  @Override
  public int compareTo(ArmId other) {
    return key.compareTo(other.key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ArmId that && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(key);
  }

  @Override
  public String toString() {
    return text;
  }
}
