package io.tidemark.operator.report;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.error.NearestName;
import java.util.List;

/** The refusal of a name that no node has. Stateless. */
public final class UnknownNodeError {
  private static final int NEAREST = 3;

  private UnknownNodeError() {}

  /**
   * The failure, with the nearest names.
   *
   * @param names of the nodes that exist
   * @param place where they are, for people
   */
  public static IpamException of(String node, List<String> names, String place) {
    List<String> nearest = NearestName.sorted(node, names).stream().limit(NEAREST).toList();
    return new IpamException(
        CoreError.NODE_UNKNOWN,
        "there is no node '"
            + node
            + "' in "
            + place
            + (nearest.isEmpty()
                ? "; it holds no nodes"
                : "; the nearest of " + names.size() + ": " + String.join(", ", nearest)));
  }
}
