package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.request.ArmError;
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
final class PublicAddressWrites {
  private final World world;
  private final Operations operations;

  PublicAddressWrites(World world, Operations operations) {
    this.world = world;
    this.operations = operations;
  }

  ArmReply put(ArmRequest request, ArmId id, Optional<ArmFault> fault, Instant now) {
    ArmPublicAddress found = world.publics().addresses().get(id);
    operations.requireIdle(id, found != null && found.isInWork());
    operations.requireKept(id);
    requireEtag(request, id, Optional.ofNullable(found).map(ArmPublicAddress::etag));
    Document body =
        request
            .body()
            .orElseThrow(
                () -> Refusal.of(400, "InvalidRequestContent", "The body is not a JSON object."));
    ArmPublicPrefix prefix =
        world.publics().prefix(body.object("properties").object("publicIPPrefix"));
    requireFits(body, prefix);
    Document rest = rest(body, prefix);
    if (found != null && !found.prefix().equals(prefix.id())) {
      throw refusal("PublicIPPrefixCannotBeChanged", "The prefix of " + id + " cannot be changed.");
    }
    if (found != null && found.rest().equals(rest)) {
      return ArmReply.of(200, found.document());
    }
    ArmPublicAddress changed =
        found == null
            ? made(id, rest, prefix)
            : found.withRest(rest).withProvisioningState("Updating", world.newEtag());
    world.publics().addresses().put(id, changed);
    LongOperation begun = operations.begin(id, id, fault, now, end(id));
    return operations.accepted(
        begun, request, "Microsoft.Network", prefix.location(), changed::document);
  }

  /** Refuses a write of another state than the present one. */
  static void requireEtag(ArmRequest request, ArmId id, Optional<String> etag) {
    if (request.ifMatch().filter(tag -> !tag.equals("*")).isPresent()
        && !request.ifMatch().equals(etag)) {
      throw Refusal.of(
          412, "PreconditionFailed", "Precondition failed for " + id + ": the etag differs.");
    }
  }

  private ArmPublicAddress made(ArmId id, Document rest, ArmPublicPrefix prefix) {
    IpAddress address =
        prefix
            .take(id)
            .orElseThrow(() -> refusal("PublicIpPrefixOutOfIpAddresses", prefix.outOfAddresses()));
    return new ArmPublicAddress(
        id, rest, prefix.id(), address, Optional.empty(), world.newEtag(), "Updating");
  }

  /** Region, kind, zones and version are those of the prefix. */
  private static void requireFits(Document body, ArmPublicPrefix prefix) {
    if (body.text("location").filter(prefix.location()::equalsIgnoreCase).isEmpty()) {
      throw refusal(
          "LocationRequired", "The location must be " + prefix.location() + ", as of the prefix.");
    }
    Document properties = body.object("properties");
    if (body.object("sku").text("name").filter("Standard"::equals).isEmpty()
        || properties.text("publicIPAllocationMethod").filter("Static"::equals).isEmpty()) {
      throw refusal(
          "PublicIPAddressMustBeStandardAndStatic",
          "An address of a prefix has the sku Standard and the allocation method Static.");
    }
    if (!properties.text("publicIPAddressVersion").orElse("IPv4").equals(prefix.version())) {
      throw refusal(
          "PublicIPAddressVersionMismatch", "The version of the prefix is " + prefix.version());
    }
    List<?> zones = body.get("zones") instanceof List<?> given ? given : List.of();
    if (!zones.equals(prefix.zones())) {
      throw refusal(
          "PublicIPAddressZonesMismatch",
          "The zones of the prefix are " + prefix.zones() + ", not " + zones + ".");
    }
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

  private LongOperation.End end(ArmId id) {
    return new LongOperation.End() {
      @Override
      public Optional<ArmError> complete(Instant now) {
        become("Succeeded");
        return Optional.empty();
      }

      @Override
      public void fail(Instant now) {
        become("Failed");
      }

      private void become(String state) {
        world
            .publics()
            .addresses()
            .computeIfPresent(
                id, (same, each) -> each.withProvisioningState(state, world.newEtag()));
      }
    };
  }

  private static Refusal refusal(String code, String message) {
    return Refusal.of(400, code, message);
  }
}
