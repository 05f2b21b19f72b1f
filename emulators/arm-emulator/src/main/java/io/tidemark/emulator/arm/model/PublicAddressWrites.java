package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.ip.IpAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * {@code PublicIPAddresses.CreateOrUpdate} for addresses of a prefix. The address is chosen when
 * the request is accepted and shown when the operation has ended. Not thread-safe.
 */
record PublicAddressWrites(World world, Operations operations) {
  ArmReply put(ArmRequest request, ArmId id, Optional<ArmFault> fault, Instant now) {
    ArmPublicAddress found = world.publics.addresses().get(id);
    operations.requireIdle(id, found != null && found.isInWork());
    operations.requireKept(id);
    requireEtag(request, id, found == null ? "" : found.etag());
    Document body = request.requireBody();
    ArmPublicPrefix prefix =
        world.publics.prefix(body.object("properties").object("publicIPPrefix"));
    requireFits(body, prefix);
    Document rest = rest(body, prefix);
    if (found != null && !found.prefix().equals(prefix.id())) {
      throw Refusal.invalid(
          "PublicIPPrefixCannotBeChanged", "The prefix of %s cannot be changed.", id);
    }
    if (found != null && found.rest().equals(rest)) {
      return ArmReply.of(200, found.document());
    }
    ArmPublicAddress changed =
        found == null
            ? made(id, rest, prefix)
            : found.withRest(rest).withProvisioningState("Updating", world.newEtag());
    world.publics.addresses().put(id, changed);
    LongOperation.End end =
        LongOperation.End.becoming((state, at) -> world.publics.become(id, state));
    LongOperation begun = operations.begin(id, id, fault, now, end);
    return operations.accepted(
        begun, request, "Microsoft.Network", prefix.location(), changed::document);
  }

  /** Refuses a write of another state than the present one; empty text without one. */
  static void requireEtag(ArmRequest request, ArmId id, String etag) {
    Refusal.when(
        request.isOfAnotherState(etag),
        412,
        "PreconditionFailed",
        "Precondition failed for %s: the etag differs.",
        id);
  }

  private ArmPublicAddress made(ArmId id, Document rest, ArmPublicPrefix prefix) {
    IpAddress address =
        prefix
            .take(id)
            .orElseThrow(
                () -> Refusal.invalid("PublicIpPrefixOutOfIpAddresses", prefix.outOfAddresses()));
    return new ArmPublicAddress(
        id, rest, prefix.id(), address, Optional.empty(), world.newEtag(), "Updating");
  }

  /** Region, kind, zones and version are those of the prefix. */
  private static void requireFits(Document body, ArmPublicPrefix prefix) {
    Refusal.when(
        body.text("location").filter(prefix.location()::equalsIgnoreCase).isEmpty(),
        "LocationRequired",
        "The location must be %s, as of the prefix.",
        prefix.location());
    Document properties = body.object("properties");
    Refusal.when(
        body.object("sku").text("name").filter("Standard"::equals).isEmpty()
            || properties.text("publicIPAllocationMethod").filter("Static"::equals).isEmpty(),
        "PublicIPAddressMustBeStandardAndStatic",
        "An address of a prefix has the sku Standard and the allocation method Static.");
    Refusal.when(
        !properties.text("publicIPAddressVersion").orElse("IPv4").equals(prefix.version()),
        "PublicIPAddressVersionMismatch",
        "The version of the prefix is %s",
        prefix.version());
    List<?> zones = body.get("zones") instanceof List<?> given ? given : List.of();
    Refusal.when(
        !zones.equals(prefix.zones()),
        "PublicIPAddressZonesMismatch",
        "The zones of the prefix are %s, not %s.",
        prefix.zones(),
        zones);
  }

  private static Document rest(Document body, ArmPublicPrefix prefix) {
    Document properties =
        body.object("properties")
            .without(
                "provisioningState",
                "ipAddress",
                "ipConfiguration",
                "resourceGuid",
                "publicIPPrefix",
                "publicIPAllocationMethod")
            .with("publicIPAddressVersion", prefix.version());
    return body.without("id", "name", "etag", "type").with("properties", properties);
  }
}
