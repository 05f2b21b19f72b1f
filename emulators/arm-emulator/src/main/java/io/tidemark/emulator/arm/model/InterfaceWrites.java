package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.Assigned;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.network.ConfigurationRules;
import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code Interfaces.CreateOrUpdate}: the body replaces the whole interface, and what it leaves out
 * is reset. Addresses are chosen when the request is accepted. Not thread-safe.
 */
record InterfaceWrites(World world, Operations operations, ModelOptions options) {
  private static final String BLOCKS_SINCE = "2023-11-01";

  static boolean knowsBlocks(String apiVersion) {
    return apiVersion.compareTo(BLOCKS_SINCE) >= 0;
  }

  ArmReply put(ArmRequest request, ArmId id, Optional<ArmFault> fault, Instant now) {
    ArmNic found = world.nics.get(id);
    if (found == null) {
      if (request.ifMatch().isPresent()) {
        throw etagMismatch(id);
      }
      return create(request, id, now);
    }
    operations.requireIdle(id, found.state().isInWork());
    operations.requireKept(id);
    requireEtag(request, found);
    return update(request, found, fault, now);
  }

  /** Refuses a write of another state than the present one. */
  static void requireEtag(ArmRequest request, ArmNic nic) {
    if (request.isOfAnotherState(nic.state().etag())) {
      throw etagMismatch(nic.id());
    }
  }

  private static Refusal etagMismatch(ArmId id) {
    return new Refusal(
        ArmError.of(
                412,
                "PreconditionFailed",
                "Precondition failed for resource %s: the etag does not match.",
                id)
            .because(
                "PreconditionFailedEtagMismatch", "Etag provided in if-match header differs."));
  }

  private ArmReply create(ArmRequest request, ArmId id, Instant now) {
    ArmNic made = new ArmNic(id, Optional.empty());
    List<Configuration> wishes = wishes(request, List.of());
    int primary = ConfigurationRules.requireValid(wishes, 0, false);
    world.publics.requireUsable(id, wishes);
    List<Assigned> assigned = world.assign(made, List.of(), wishes, primary, "Succeeded", now);
    world.publics.link(id, wishes);
    ArmNic.State state =
        new ArmNic.State(rest(request), assigned, Optional.empty(), world.newEtag(), "Succeeded");
    world.set(made, state, now);
    world.nics.put(id, made);
    return ArmReply.of(201, shown(made, request));
  }

  private ArmReply update(ArmRequest request, ArmNic nic, Optional<ArmFault> fault, Instant now) {
    ArmNic.State before = nic.state();
    List<Configuration> present = before.configurations().stream().map(Assigned::wish).toList();
    List<Configuration> wishes = wishes(request, present);
    int others = nic.machine().map(each -> world.otherConfigurations(each, nic.id())).orElse(0);
    int primary = ConfigurationRules.requireValid(wishes, others, false);
    requireSameLocation(request.requireBody(), before.rest().text("location").orElse(""), nic.id());
    if (nic.machine().isPresent()) {
      requireSamePrimary(before, wishes.get(primary));
    }
    world.publics.requireUsable(nic.id(), wishes);
    Document rest = rest(request);
    boolean unchanged =
        before.provisioningState().equals("Succeeded")
            && rest.equals(before.rest())
            && present.equals(wishes.stream().map(Configuration::normal).toList());
    if (unchanged) {
      return ArmReply.of(200, shown(nic, request));
    }
    List<Assigned> assigned =
        world.assign(nic, before.configurations(), wishes, primary, "Updating", now);
    world.publics.link(nic.id(), wishes);
    ArmNic.State changed =
        new ArmNic.State(rest, assigned, before.mac(), world.newEtag(), "Updating");
    if (nic.machine().isEmpty()) {
      world.set(nic, changed.withProvisioningState("Succeeded"), now);
      return ArmReply.of(200, shown(nic, request));
    }
    world.set(nic, changed.withProvisioningState("Updating"), now);
    Supplier<Document> body = shown(nic, request);
    ArmId machine = nic.machine().get();
    LongOperation.End end =
        LongOperation.End.becoming(
            (state, at) -> world.change(nic, each -> each.withProvisioningState(state), at));
    LongOperation begun = operations.begin(nic.id(), machine, fault, now, end);
    return operations.accepted(begun, request, "Microsoft.Network", location(request), body);
  }

  static void requireSamePrimary(ArmNic.State before, Configuration primary) {
    boolean same =
        before.configurations().stream()
            .filter(Assigned::primary)
            .allMatch(each -> each.name().equalsIgnoreCase(primary.name()));
    Refusal.when(
        !same,
        "PrimaryIpConfigurationCannotBeChanged",
        "The primary IP configuration of an attached network interface cannot be changed.");
  }

  private static List<Configuration> wishes(ArmRequest request, List<Configuration> present) {
    List<Configuration> wishes = Configuration.all(request.requireBody());
    return knowsBlocks(request.apiVersion())
        ? wishes
        : Configuration.withoutNewBlocks(wishes, present);
  }

  private static String location(ArmRequest request) {
    return request
        .requireBody()
        .text("location")
        .map(InterfaceWrites::normal)
        .orElseThrow(
            () ->
                Refusal.invalid(
                    "LocationRequired", "The location property is required for this definition."));
  }

  /** The name of a region, which may be written as for people: "West Europe" is westeurope. */
  private static String normal(String location) {
    return location.replace(" ", "").toLowerCase(Locale.ROOT);
  }

  /** Refuses a body that names another region than the one where the resource is. */
  static void requireSameLocation(Document body, String location, ArmId id) {
    Refusal.when(
        body.text("location").filter(each -> !normal(each).equals(normal(location))).isPresent(),
        409,
        "InvalidResourceLocation",
        "The resource %s already exists in location '%s'. A resource with the same name cannot"
            + " be created in location '%s'.",
        id,
        location,
        body.text("location").orElse(""));
  }

  /** The client's fields beside the configurations, without those that only Azure sets. */
  private static Document rest(ArmRequest request) {
    String location = location(request);
    Document properties =
        request
            .requireBody()
            .object("properties")
            .without(
                "ipConfigurations",
                "provisioningState",
                "macAddress",
                "virtualMachine",
                "resourceGuid");
    return request
        .requireBody()
        .without("id", "name", "etag", "type")
        .with("location", location)
        .with("properties", properties);
  }

  private Supplier<Document> shown(ArmNic nic, ArmRequest request) {
    ArmNic.State now = nic.state();
    return () -> nic.document(now, options.blockForm(), knowsBlocks(request.apiVersion()));
  }
}
