package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.time.Instant;

/**
 * {@code Interfaces.UpdateTags} and {@code PublicIPAddresses.UpdateTags}: the tags of the body take
 * the place of all that there were, at once. Not thread-safe.
 */
record TagWrites(World world, Reads reads, Operations operations) {
  ArmReply networkInterface(ArmRequest request, ArmId id, Instant now) {
    ArmNic nic = reads.found(world.nics, id);
    operations.requireIdle(id, nic.state().isInWork());
    operations.requireKept(id);
    InterfaceWrites.requireEtag(request, nic);
    Document rest = tagged(nic.state().rest(), request);
    if (!rest.equals(nic.state().rest())) {
      world.change(nic, state -> state.withRest(rest, world.newEtag()), now);
    }
    return ArmReply.of(200, reads.shown(nic, nic.state(), request))
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
        (member, value) ->
            Refusal.when(
                !member.equals("tags"),
                "OnlyTagsSupportedForPatch",
                "PATCH request content includes %s property."
                    + " Only tags property is currently supported.",
                member));
    if (!(body.get("tags") instanceof Document tags)) {
      throw Refusal.invalid("InvalidRequestContent", "The tags are not a JSON object.");
    }
    tags.forEach(
        (name, value) ->
            Refusal.when(
                !(value instanceof String),
                "InvalidRequestContent",
                "The tag '%s' is not a string.",
                name));
    return rest.with("tags", tags);
  }
}
