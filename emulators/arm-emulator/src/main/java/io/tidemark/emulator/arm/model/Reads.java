package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of all reads: absent resources, interfaces, and pages of lists. Not thread-safe. */
record Reads(World world, ModelOptions options) {
  private static final String SET = "Microsoft.Compute/virtualMachineScaleSets";
  private static final String SET_VM = SET + "/virtualMachines";

  /** This state of an interface, as the version of the API shows it. */
  Document shown(ArmNic nic, ArmNic.State state, ArmRequest request) {
    return nic.document(
        state, options.blockForm(), InterfaceWrites.knowsBlocks(request.apiVersion()));
  }

  /** The resource that is referred to; empty when it is not of these. */
  static <T> Optional<T> referred(Document reference, Map<ArmId, T> all) {
    return reference
        .text("id")
        .flatMap(ArmId::parse)
        .flatMap(id -> Optional.ofNullable(all.get(id)));
  }

  /** Refuses a scope whose subscription or group there is not. */
  void requireScope(ArmId scope) {
    boolean known =
        scope.subscription().isEmpty()
            || (world.hasSubscription(scope)
                && (scope.name("resourceGroups").isEmpty() || world.hasGroup(scope)));
    if (!known) {
      throw missing(scope, "ResourceNotFound");
    }
  }

  /** The resource of this id; refuses the request when there is none. */
  <T> T found(Map<ArmId, T> all, ArmId path) {
    @Nullable T found = all.get(path);
    if (found == null) {
      throw missing(path, "ResourceNotFound");
    }
    return found;
  }

  /** The refusal of what is not there; its subscription or group may not be there either. */
  Refusal missing(ArmId id, String code) {
    if (!world.hasSubscription(id)) {
      return Refusal.of(
          404,
          "SubscriptionNotFound",
          "The subscription '%s' could not be found.",
          id.subscription());
    }
    Optional<String> group = id.name("resourceGroups");
    if (!world.hasGroup(id)) {
      return Refusal.of(
          404,
          "ResourceGroupNotFound",
          "Resource group '%s' could not be found.",
          group.orElse(""));
    }
    boolean numbered = id.name().matches("[0-9]+");
    if (id.type().equalsIgnoreCase(SET_VM) && !numbered && world.sets.containsKey(id.parent())) {
      return Refusal.invalid(
          "InvalidParameter", "Virtual Machine Scale Set VM instanceId must be a number.");
    }
    boolean orphan =
        id.name("virtualMachineScaleSets").isPresent()
            && !id.type().equalsIgnoreCase(SET)
            && world.sets.keySet().stream().noneMatch(each -> id.isWithin(each.text()));
    return orphan && !code.equals("NotFound")
        ? Refusal.of(
            404,
            "ParentResourceNotFound",
            "Failed to perform the operation on %s: the parent resource is not found.",
            id)
        : Refusal.of(404, code, "The resource '%s' was not found.", id);
  }

  /** The page of a list that is asked for, with what is shown of each element. */
  <T> ArmReply page(ArmRequest request, Stream<T> elements, Function<T, Document> shown) {
    List<T> all = elements.toList();
    int from = number(request.query().getOrDefault("$skiptoken", "0"));
    int to = Math.min(all.size(), from + options.pageSize());
    List<T> those = all.subList(Math.min(from, to), to);
    return ArmReply.of(
        200,
        () -> {
          Document body = Document.of("value", those.stream().map(shown).toList());
          return to == all.size() ? body : body.with("nextLink", next(request, to));
        });
  }

  /** The same query from there on. */
  private static String next(ArmRequest request, int from) {
    StringBuilder link = new StringBuilder(request.origin() + request.path() + "?api-version=");
    link.append(request.apiVersion());
    for (String option : List.of("$expand", "$filter")) {
      String value = request.query().getOrDefault(option, "");
      if (!value.isEmpty()) {
        link.append('&').append(option).append('=');
        link.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
      }
    }
    return link.append("&$skiptoken=").append(from).toString();
  }

  private static int number(String token) {
    return Optional.of(token)
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(Integer::valueOf)
        .orElseThrow(
            () -> Refusal.invalid("InvalidSkipToken", "The skip token '%s' is not valid.", token));
  }
}
