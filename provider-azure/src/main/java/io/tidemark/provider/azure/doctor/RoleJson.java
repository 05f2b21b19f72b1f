package io.tidemark.provider.azure.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.NavigableSet;

/** Custom roles, as {@code az role definition create} reads them. Pure. */
final class RoleJson {
  private RoleJson() {}

  /**
   * The role of these actions, named after its first scope.
   *
   * @param scopes subscriptions and resource groups, one or more: Azure makes no role for less
   */
  static String print(Collection<String> actions, NavigableSet<String> scopes) {
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
}
