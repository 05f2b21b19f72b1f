package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Reads lists, subnets, operations and errors. Pure. */
final class AnswersJson {
  private static final int MESSAGE_MAX = 4_096;
  private static final int DETAILS_DEPTH_MAX = 8;

  private AnswersJson() {}

  /** Code and message of an error; the innermost detail decides (13.3). */
  record ErrorText(String code, String message) {}

  /** Reads an element of a list; empty when it cannot be read. */
  @FunctionalInterface
  interface Element<T> {
    Optional<T> read(JsonNode json);
  }

  /**
   * A page of a list; elements that cannot be read are left out.
   *
   * @param origin the only place that a next page may be at
   */
  static <T> AzurePage<T> page(
      String body, Element<T> element, Function<String, Optional<URI>> origin) throws ArmFailure {
    ObjectNode tree = TreeJson.body(body);
    List<T> items = new ArrayList<>();
    tree.path("value").forEach(each -> element.read(each).ifPresent(items::add));
    String text = TreeJson.text(tree, "nextLink");
    Optional<URI> next = Optional.of(text).filter(link -> !link.isEmpty()).flatMap(origin);
    if (next.isEmpty() && !text.isEmpty()) {
      throw ArmFailure.refused(
          400,
          "ForeignNextLink",
          "the next page of a list is at another host; it is not asked",
          Optional.empty(),
          false);
    }
    return new AzurePage<>(items, next);
  }

  /** The element of a response that must be one. */
  static <T> T only(ResourceId id, String body, Element<T> element) throws ArmFailure {
    return element
        .read(TreeJson.body(body))
        .orElseThrow(() -> ArmFailure.unusable("the response has no id of " + id));
  }

  static List<ResourceId> interfacesOfMachine(String body) throws ArmFailure {
    JsonNode profile = TreeJson.body(body).path("properties").path("networkProfile");
    return TreeJson.references(profile.path("networkInterfaces"));
  }

  static AzureSubnet subnet(ResourceId id, String body) throws ArmFailure {
    JsonNode properties = TreeJson.body(body).path("properties");
    Set<String> texts = new LinkedHashSet<>();
    texts.add(TreeJson.text(properties, "addressPrefix"));
    texts.addAll(TreeJson.texts(properties.path("addressPrefixes")));
    List<Cidr> blocks =
        texts.stream()
            .flatMap(text -> Cidr.tryParse(text).stream())
            .filter(block -> block.family() == IpFamily.IPV4)
            .toList();
    JsonNode configurations = properties.path("ipConfigurations");
    return new AzureSubnet(
        id,
        blocks,
        configurations.isArray() ? OptionalInt.of(configurations.size()) : OptionalInt.empty());
  }

  static Optional<SubnetUsage> usage(JsonNode json) {
    return ResourceId.parse(TreeJson.text(json, "id"))
        .filter(id -> json.path("currentValue").isNumber() && json.path("limit").isNumber())
        .map(
            id ->
                new SubnetUsage(
                    id, json.path("currentValue").asLong(), json.path("limit").asLong()));
  }

  /** The provisioning state of a resource in lower case; empty when the body tells none. */
  static String provisioningState(String body) {
    return TreeJson.read(body)
        .map(tree -> TreeJson.lower(tree.path("properties"), "provisioningState"))
        .orElse("");
  }

  /** The content of the address of a result: 202 until the end, then the resource as it is. */
  static OperationStatus result(
      int status, String body, ResourceId resource, Optional<Duration> retryAfter) {
    return status == 202
        ? new OperationStatus(OperationStatus.State.RUNNING, Optional.empty(), retryAfter)
        : OperationStatus.ofResource(resource, provisioningState(body), "", retryAfter);
  }

  /** The state in the body of an operation's address; one that is not known goes on. */
  static OperationStatus.State state(String body) throws ArmFailure {
    return switch (TreeJson.lower(TreeJson.body(body), "status")) {
      case "succeeded" -> OperationStatus.State.SUCCEEDED;
      case "failed" -> OperationStatus.State.FAILED;
      case "canceled", "cancelled" -> OperationStatus.State.CANCELED;
      case "" -> throw ArmFailure.unusable("the operation tells no status");
      default -> OperationStatus.State.RUNNING;
    };
  }

  /** Whether a body has the form of a list or of an error. */
  static boolean isOfResourceManager(String body) {
    return !error(body).code().isEmpty()
        || TreeJson.read(body).filter(tree -> tree.path("value").isArray()).isPresent();
  }

  /** The error in a body; empty texts when there is none. */
  static ErrorText error(String body) {
    Optional<ObjectNode> tree = TreeJson.read(body);
    if (tree.isEmpty()) {
      return new ErrorText("", "the response has no JSON object");
    }
    JsonNode error = tree.get().path("error");
    String message = TreeJson.text(error, "message");
    for (int depth = 0; depth < DETAILS_DEPTH_MAX; depth++) {
      JsonNode inner = error.path("details").path(0);
      if (TreeJson.text(inner, "code").isEmpty()) {
        break;
      }
      error = inner;
      message = message + " " + TreeJson.text(inner, "message");
    }
    return new ErrorText(TreeJson.text(error, "code"), shortened(message.strip()));
  }

  private static String shortened(String text) {
    return text.length() <= MESSAGE_MAX ? text : text.substring(0, MESSAGE_MAX) + "…";
  }
}
