package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The denied actions by principal, to test permission checks; everything else is allowed. Not
 * thread-safe.
 */
public final class Denials {
  private final Map<String, Set<String>> actions = new HashMap<>();

  /**
   * Sets the denied actions of a principal; an empty set allows everything.
   *
   * @param principal an access key id, the ARN of a role or of one session of it, or {@code *} for
   *     everybody
   * @param denied names of actions, or {@code *}
   */
  public void set(String principal, Set<String> denied) {
    if (denied.isEmpty()) {
      actions.remove(principal);
    } else {
      actions.put(principal, Set.copyOf(denied));
    }
  }

  /** Allows all actions to all principals. */
  public void clear() {
    actions.clear();
  }

  /** Whether this caller may not do this. */
  public boolean isDenied(Caller caller, String action) {
    return !actions.isEmpty()
        && (isDenied(caller.principal(), action)
            || isDenied("*", action)
            || isDenied(role(caller.principal()), action));
  }

  /** The denied actions, by principal. */
  public SortedMap<String, Set<String>> all() {
    return new TreeMap<>(actions);
  }

  /** The role of a session; a path in the role's name is not part of the session's ARN. */
  private static String role(String principal) {
    return principal.replaceFirst(
        "^(arn:[^:]+):sts::([0-9]{12}):assumed-role/([^/]+)/.*$", "$1:iam::$2:role/$3");
  }

  private boolean isDenied(String principal, String action) {
    Set<String> denied = actions.getOrDefault(principal, Set.of());
    return denied.contains(action) || denied.contains("*");
  }

  static Ec2Error unauthorized(Caller caller, String what) {
    return new Ec2Error(
        "UnauthorizedOperation",
        "You are not authorized to perform this operation. User: "
            + caller.principal()
            + " is not authorized to perform: "
            + what,
        403);
  }
}
