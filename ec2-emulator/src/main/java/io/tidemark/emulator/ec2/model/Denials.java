package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Ec2Error;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which actions are denied to whom, so that permission checks can be tried; everything else is
 * allowed. Not thread-safe.
 */
public final class Denials {
  private final Map<String, Set<String>> actions = new HashMap<>();

  /**
   * Denies these actions to a principal, in the place of those denied to it before.
   *
   * @param principal an access key id, an ARN, or {@code *} for everybody
   * @param denied names of actions, or {@code *}
   */
  public void set(String principal, Set<String> denied) {
    actions.put(principal, Set.copyOf(denied));
  }

  boolean isDenied(Caller caller, String action) {
    return isDenied(caller.principal(), action) || isDenied("*", action);
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
