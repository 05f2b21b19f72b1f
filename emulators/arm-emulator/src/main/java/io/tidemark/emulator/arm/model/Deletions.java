package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicAddress;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Refusal;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code Interfaces.Delete} and {@code PublicIPAddresses.Delete}: what nothing uses is deleted as
 * an operation, and what is not there is answered with 204. Not thread-safe.
 */
record Deletions(World world, Reads reads, Operations operations) {
  ArmReply networkInterface(ArmRequest request, ArmId id, Optional<ArmFault> fault, Instant now) {
    @Nullable ArmNic nic = world.nics.get(id);
    if (nic == null) {
      return absent(id);
    }
    operations.requireIdle(id, nic.state().isInWork());
    InterfaceWrites.requireEtag(request, nic);
    nic.machine().ifPresent(machine -> requireDetached(id, machine));
    world.change(nic, state -> state.withProvisioningState("Deleting"), now);
    LongOperation begun =
        operations.begin(
            id,
            id,
            fault,
            now,
            end(
                at -> world.delete(nic, at),
                at -> world.change(nic, state -> state.withProvisioningState("Failed"), at)));
    return operations.deleting(begun, request, nic.state().rest().text("location").orElse(""));
  }

  private static void requireDetached(ArmId nic, ArmId machine) {
    throw Refusal.invalid(
        "NicInUse",
        "Network Interface %s is used by existing resource %s. It must be dissociated from the"
            + " resource first.",
        nic,
        machine);
  }

  ArmReply publicAddress(ArmRequest request, ArmId id, Optional<ArmFault> fault, Instant now) {
    @Nullable ArmPublicAddress found = world.publics.addresses().get(id);
    if (found == null) {
      return absent(id);
    }
    operations.requireIdle(id, found.isInWork());
    PublicAddressWrites.requireEtag(request, id, found.etag());
    if (found.configuration().isPresent()) {
      throw Refusal.invalid(
          "PublicIPAddressCannotBeDeleted",
          "Public IP address %s can not be deleted since it is still allocated to resource %s.",
          id,
          found.configuration().get());
    }
    world.publics.become(id, "Deleting");
    LongOperation begun =
        operations.begin(
            id,
            id,
            fault,
            now,
            end(at -> world.publics.remove(found), at -> world.publics.become(id, "Failed")));
    return operations.deleting(begun, request, found.location());
  }

  private ArmReply absent(ArmId id) {
    reads.requireScope(id);
    return ArmReply.ofText(204, "");
  }

  private static LongOperation.End end(Consumer<Instant> remove, Consumer<Instant> keep) {
    return new LongOperation.End(
        now -> {
          remove.accept(now);
          return Optional.empty();
        },
        keep,
        true);
  }
}
