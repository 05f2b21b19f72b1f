package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Who may do what, and what is locked (Azure role-based access control; management locks). */
public final class Access {
  /**
   * A role that is assigned.
   *
   * @param principal who has it; {@code *} for everybody
   * @param scope where: a resource id, or {@code /}
   * @param actions what it allows, with {@code *} for any text
   * @param notActions what it does not allow all the same
   */
  public record Role(
      String principal, String scope, List<String> actions, List<String> notActions) {
    public Role {
      actions = List.copyOf(actions);
      notActions = List.copyOf(notActions);
    }

    /** Everything for everybody. */
    public static Role owner() {
      return new Role("*", "/", List.of("*"), List.of());
    }

    boolean isOf(String someone) {
      return principal.equals("*") || principal.equals(someone);
    }

    boolean allows(String action) {
      return actions.stream().anyMatch(each -> covers(each, action))
          && notActions.stream().noneMatch(each -> covers(each, action));
    }

    private static boolean covers(String pattern, String action) {
      return Pattern.compile(
              Pattern.quote(pattern).replace("*", "\\E.*\\Q"), Pattern.CASE_INSENSITIVE)
          .matcher(action)
          .matches();
    }
  }

  private List<Role> roles = List.of(Role.owner());
  private List<String> locks = List.of();

  public Access() {}

  /** Puts these roles in the place of those before. */
  public void setRoles(List<Role> changed) {
    roles = List.copyOf(changed);
  }

  /** Makes these scopes, and only these, read-only. */
  public void setLocks(List<String> scopes) {
    locks = List.copyOf(scopes);
  }

  /** Refuses an action that no role allows. */
  public void require(String principal, String action, ArmId on) {
    Refusal.when(
        !allows(principal, action, on),
        403,
        "AuthorizationFailed",
        "The client '%s' does not have authorization to perform action '%s' over scope '%s' or"
            + " the scope is invalid.",
        principal,
        action,
        on);
  }

  /** Refuses an action on another resource that a request names. */
  public void requireLinked(String principal, String action, ArmId on, ArmId linked) {
    Refusal.when(
        !allows(principal, action, linked),
        403,
        "LinkedAuthorizationFailed",
        "The client '%s' has permission to perform the action on scope '%s'; however, it does"
            + " not have permission to perform action '%s' on the linked scope '%s'.",
        principal,
        on,
        action,
        linked);
  }

  /**
   * Refuses a change of what is locked.
   *
   * @param change {@code write} or {@code delete}
   */
  public void requireUnlocked(ArmId on, String change) {
    for (String scope : locks) {
      Refusal.when(
          on.isWithin(scope),
          409,
          "ScopeLocked",
          "The scope '%s' cannot perform %s operation because following scope(s) are locked:"
              + " '%s'.",
          on,
          change,
          scope);
    }
  }

  /** The answer of {@code Permissions.List} for a scope: an element for each role. */
  public List<Document> permissions(String principal, ArmId scope) {
    List<Document> found = new ArrayList<>();
    for (Role each : roles) {
      if (each.isOf(principal) && scope.isWithin(each.scope())) {
        found.add(
            Document.of("actions", each.actions())
                .with("notActions", each.notActions())
                .with("dataActions", List.of())
                .with("notDataActions", List.of()));
      }
    }
    return found;
  }

  private boolean allows(String principal, String action, ArmId on) {
    String wanted = action.toLowerCase(Locale.ROOT);
    return roles.stream()
        .anyMatch(each -> each.isOf(principal) && on.isWithin(each.scope()) && each.allows(wanted));
  }
}
