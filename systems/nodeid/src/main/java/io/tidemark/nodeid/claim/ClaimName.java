package io.tidemark.nodeid.claim;

import io.tidemark.nodeid.NodeId;
import java.util.Optional;
import java.util.regex.Pattern;

/** The name of the claim of an id: {@code node-id-5}. */
public final class ClaimName {
  private static final String PREFIX = "node-id-";
  private static final Pattern CANONICAL = Pattern.compile("[1-9][0-9]{0,9}");

  private ClaimName() {}

  public static String of(NodeId id) {
    return PREFIX + id;
  }

  /** The id that a claim of this name stands for; empty when it stands for none. */
  public static Optional<NodeId> id(String name) {
    String number = name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : "";
    return CANONICAL.matcher(number).matches() && Long.parseLong(number) <= NodeId.MAX
        ? Optional.of(NodeId.parse(number))
        : Optional.empty();
  }
}
