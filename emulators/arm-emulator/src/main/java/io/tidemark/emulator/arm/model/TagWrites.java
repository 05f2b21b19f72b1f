package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.time.Instant;

/**
 * {@code Interfaces.UpdateTags} and {@code PublicIPAddresses.UpdateTags}: the tags of the body take
 * the place of all that there were, at once. Not thread-safe.
 */
final class TagWrites {
  private final World world;
  private final Reads reads;
  private final Operations operations;
  private final BlockForm blockForm;

  TagWrites(World world, Reads reads, Operations operations, BlockForm blockForm) {
    this.world = world;
    this.reads = reads;
    this.operations = operations;
    this.blockForm = blockForm;
  }

  ArmReply networkInterface(ArmRequest request, ArmId id, Instant now) {
    ArmNic nic = reads.found(world.nics, id);
    operations.requireIdle(id, nic.state().isInWork());
    operations.requireKept(id);
    InterfaceWrites.requireEtag(request, nic);
    Document rest = tagged(nic.state().rest(), request);
    if (!rest.equals(nic.state().rest())) {
      world.change(nic, state -> state.withRest(rest, world.newEtag()), now);
    }
    boolean blocks = InterfaceWrites.knowsBlocks(request.apiVersion());
    return ArmReply.of(200, nic.document(nic.state(), blockForm, blocks))
        .with("ETag", nic.state().etag());
  }

  ArmReply publicAddress(ArmRequest request, ArmId id) {
    ArmPublicAddress found = reads.found(world.publics.addresses(), id);
    operations.requireIdle(id, found.isInWork());
    operations.requireKept(id);
    PublicAddressWrites.requireEtag(request, id, found.etag());
    Document rest = tagged(found.rest(), request);
    ArmPublicAddress changed =
        rest.equals(found.rest())
            ? found
            : found
                .withRest(rest)
                .withProvisioningState(found.provisioningState(), world.newEtag());
    world.publics.addresses().put(id, changed);
    return ArmReply.of(200, changed.document()).with("ETag", changed.etag());
  }

  private static Document tagged(Document rest, ArmRequest request) {
    Document body = request.requireBody();
    body.forEach(
        (member, value) -> {
          if (!member.equals("tags")) {
            throw Refusal.invalid(
                "OnlyTagsSupportedForPatch",
                "PATCH request content includes "
                    + member
                    + " property. Only tags property is currently supported.");
          }
        });
    if (!(body.get("tags") instanceof Document tags)) {
      throw Refusal.invalid("InvalidRequestContent", "The tags are not a JSON object.");
    }
    tags.forEach(
        (name, value) -> {
          if (!(value instanceof String)) {
            throw Refusal.invalid(
                "InvalidRequestContent", "The tag '" + name + "' is not a string.");
          }
        });
    return rest.with("tags", tags);
  }
}
