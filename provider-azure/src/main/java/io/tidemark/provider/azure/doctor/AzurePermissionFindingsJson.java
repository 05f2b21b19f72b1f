package io.tidemark.provider.azure.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.provider.azure.network.GrantJson;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.spi.Finding;
import io.tidemark.spi.Finding.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which of the required actions our roles grant, and the roles to add. Used once. */
final class AzurePermissionFindingsJson {
  static final String PERMISSION = "permission";

  private static final int SHOWN_MAX = 3;

  private static final String REMEDY =
      "Create the role (az role definition create) and assign it to the identity where the action"
          + " is missing.";

  private final Map<String, NavigableSet<String>> required;
  private final Map<String, CallResult<List<GrantJson>>> grants;

  /** The roles to add: their actions, and the scopes that they can be assigned in. */
  private final Map<Set<String>, NavigableSet<String>> roles = new LinkedHashMap<>();

  /**
   * Of answers that came.
   *
   * @param required scopes by action
   * @param grants by scope
   */
  AzurePermissionFindingsJson(
      Map<String, NavigableSet<String>> required, Map<String, CallResult<List<GrantJson>>> grants) {
    this.required = required;
    this.grants = grants;
  }

  /** In the order of the actions; a role is shown with the first one of its own. */
  List<Finding> all() {
    Map<String, Set<String>> missing = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    required.forEach(
        (action, scopes) ->
            lacking(action, scopes)
                .forEach(
                    scope ->
                        missing
                            .computeIfAbsent(assignable(scope), key -> new LinkedHashSet<>())
                            .add(action)));
    missing.forEach(
        (scope, actions) -> roles.computeIfAbsent(actions, key -> new TreeSet<>()).add(scope));
    List<Finding> all = new ArrayList<>();
    required.forEach((action, scopes) -> all.add(finding(action, scopes)));
    if (all.stream().anyMatch(each -> each.verdict() == Verdict.GRANTED)) {
      all.add(
          Finding.of(
              PERMISSION,
              "deny assignments, locks, policies",
              Verdict.UNDECIDABLE,
              "roles grant it; these can still refuse it",
              ""));
    }
    return all;
  }

  /** Roles are made for subscriptions and resource groups. */
  private static String assignable(String scope) {
    return scope.replaceFirst("^((?:/[^/]+){4}).*$", "$1");
  }

  private List<String> lacking(String action, Collection<String> scopes) {
    return scopes.stream()
        .filter(
            scope ->
                grants.get(scope) instanceof CallResult.Answered<List<GrantJson>> found
                    && found.value().stream().noneMatch(each -> each.allows(action)))
        .toList();
  }

  private Finding finding(String action, Collection<String> scopes) {
    List<String> lacking = lacking(action, scopes);
    if (!lacking.isEmpty()) {
      return missing(action, lacking);
    }
    for (String scope : scopes) {
      if (grants.get(scope) instanceof CallResult.Failed<List<GrantJson>> failed) {
        return Findings.undecided(PERMISSION, action, failed.failure());
      }
    }
    return Finding.of(PERMISSION, action, Verdict.GRANTED, "", "");
  }

  private Finding missing(String action, List<String> lacking) {
    List<String> shown = new ArrayList<>();
    roles.forEach(
        (actions, scopes) -> {
          if (actions.contains(action)) {
            shown.add(role(actions, scopes));
          }
        });
    roles.keySet().removeIf(actions -> actions.contains(action));
    Optional<String> fallback = RequiredActions.fallback(action);
    return new Finding(
        PERMISSION,
        action,
        fallback.isPresent() ? Verdict.WARNING : Verdict.MISSING,
        "not granted on " + listed(lacking) + fallback.map(text -> "; " + text).orElse(""),
        shown.isEmpty() ? "It is in a role above." : REMEDY,
        shown.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", shown)));
  }

  /**
   * The role of these actions, named after its first scope, as {@code az role definition create}
   * reads it.
   *
   * @param scopes subscriptions and resource groups, one or more: Azure makes no role for less
   */
  private static String role(Collection<String> actions, NavigableSet<String> scopes) {
    String first = scopes.first();
    ObjectNode role = JsonNodeFactory.instance.objectNode();
    role.put("Name", "Tidemark " + first.substring(first.lastIndexOf('/') + 1));
    role.put("IsCustom", true);
    role.put("Description", "Lets Tidemark's operator give addresses to pods");
    add(role.putArray("Actions"), actions);
    role.putArray("NotActions");
    add(role.putArray("AssignableScopes"), scopes);
    return role.toPrettyString().replace(System.lineSeparator(), "\n");
  }

  private static void add(ArrayNode array, Collection<String> texts) {
    texts.forEach(array::add);
  }

  /** The first ones, and how many there are besides. */
  static String listed(Collection<String> texts) {
    int more = texts.size() - SHOWN_MAX;
    return texts.stream().limit(SHOWN_MAX).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
