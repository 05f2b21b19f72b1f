package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The permissions of one assigned role at a scope (Azure role-based access control). Immutable.
 *
 * @param actions with {@code *} for any text, in any case
 * @param notActions what it leaves out of them; another role may allow it all the same
 */
public record GrantJson(List<String> actions, List<String> notActions) {
  public GrantJson {
    actions = List.copyOf(actions);
    notActions = List.copyOf(notActions);
  }

  static Optional<GrantJson> read(JsonNode json) {
    return Optional.of(
        new GrantJson(
            TreeJson.texts(json.path("actions")), TreeJson.texts(json.path("notActions"))));
  }

  /** Whether this role allows an action. */
  public boolean allows(String action) {
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
