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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code VirtualMachineScaleSetVMs.Update}: sections that the body leaves out are kept. The model
 * changes when the request is accepted, the interfaces at the end of the operation; when that
 * fails, the model names configurations that no interface has. Not thread-safe.
 */
record InstanceWrites(World world, Operations operations) {
  private static final String NETWORK = "networkProfileConfiguration";
  private static final String INTERFACES = "networkInterfaceConfigurations";

  ArmReply put(ArmRequest request, ArmMachine machine, Optional<ArmFault> fault, Instant now) {
    Refusal.when(
        machine.isDeleting(),
        409,
        "OperationNotAllowed",
        "Operation 'update' is not allowed on VM '%s' since the VM is marked for deletion.",
        machine.id);
    operations.requireIdle(machine.id, machine.provisioningState().equals("Updating"));
    if (request.isOfAnotherState(machine.etag())) {
      throw Refusal.of(
          412,
          "PreconditionFailed",
          "The etag provided in if-match header %s does not match.",
          request.ifMatch().get());
    }
    Document body = request.requireBody();
    InterfaceWrites.requireSameLocation(body, machine.location, machine.id);
    Document sections = body.object("properties");
    List<Document> interfaces =
        sections.object(NETWORK).has(INTERFACES)
            ? requireValid(machine, sections.object(NETWORK).objects(INTERFACES), request)
            : machine.interfaceModels();
    Document rest = rest(machine, body, sections);
    if (!interfaces.equals(machine.interfaceModels()) || !rest.equals(machine.rest())) {
      machine.setInterfaceModels(interfaces);
      machine.setRest(rest);
      machine.changed();
    }
    machine.setProvisioningState("Updating");
    Document shown = machine.document(Set.of(), request.apiVersion());
    LongOperation.End end =
        new LongOperation.End(
            at -> reconcile(machine, at), at -> machine.setProvisioningState("Failed"), false);
    LongOperation begun = operations.begin(machine.id, machine.id, fault, now, end);
    return operations.accepted(begun, request, "Microsoft.Compute", machine.location, () -> shown);
  }

  /** Members of the body take the place of what was there, except those that only Azure sets. */
  private static Document rest(ArmMachine machine, Document body, Document sections) {
    Document properties =
        machine
            .rest()
            .object("properties")
            .and(
                sections.without(
                    NETWORK,
                    "vmId",
                    "provisioningState",
                    "instanceView",
                    "latestModelApplied",
                    "networkProfile",
                    "timeCreated"));
    return machine
        .rest()
        .and(body.without("id", "name", "etag", "type", "instanceId", "location", "resources"))
        .with("properties", properties);
  }

  private List<Document> requireValid(
      ArmMachine machine, List<Document> interfaces, ArmRequest request) {
    List<String> names = interfaces.stream().map(each -> each.text("name").orElse("")).toList();
    List<String> expected =
        machine.interfaceModels().stream().map(each -> each.text("name").orElse("")).toList();
    Refusal.when(
        !names.equals(expected),
        "NetworkInterfaceConfigurationsCannotBeChanged",
        "The network interfaces of an instance are %s; they cannot be added or removed.",
        expected);
    int all = interfaces.stream().mapToInt(each -> Configuration.all(each).size()).sum();
    List<Document> accepted = new ArrayList<>();
    for (Document each : interfaces) {
      List<Configuration> wishes = Configuration.all(each);
      if (!ArmMachine.knowsBlocks(request.apiVersion())) {
        wishes = Configuration.withoutNewBlocks(wishes, present(machine, each));
      }
      int primary = ConfigurationRules.requireValid(wishes, all - wishes.size(), true);
      ArmNic nic = world.nics.get(nicOf(machine, each));
      if (nic != null) {
        InterfaceWrites.requireSamePrimary(nic.state(), wishes.get(primary));
      }
      wishes.forEach(world::subnet);
      world.publics.requireKnown(wishes);
      accepted.add(
          each.withProperty(
              "ipConfigurations", wishes.stream().map(Configuration::document).toList()));
    }
    return accepted;
  }

  private static ArmId nicOf(ArmMachine machine, Document model) {
    return machine.id.child("networkInterfaces", model.text("name").orElse(""));
  }

  /** The configurations that an interface has in the model so far. */
  private static List<Configuration> present(ArmMachine machine, Document model) {
    return machine.interfaceModels().stream()
        .filter(each -> each.text("name").equals(model.text("name")))
        .flatMap(each -> Configuration.all(each).stream())
        .toList();
  }

  /** Gives the interfaces of an instance what its model says; the reason when that failed. */
  Optional<ArmError> reconcile(ArmMachine machine, Instant now) {
    try {
      for (Document model : machine.interfaceModels()) {
        ArmId id = nicOf(machine, model);
        ArmNic nic = world.nics.get(id);
        if (nic != null) {
          List<Configuration> models = Configuration.all(model);
          List<Configuration> wishes = models.stream().map(each -> each.placedOn(id)).toList();
          int primary = ConfigurationRules.requireValid(wishes, 0, true);
          ArmNic.State before = nic.state();
          world.publics.place(nic, models);
          List<Assigned> assigned =
              world.assign(nic, before.configurations(), wishes, primary, "Succeeded", now);
          if (!assigned.equals(before.configurations())) {
            world.set(nic, before.withConfigurations(assigned, world.newEtag()), now);
          }
        }
      }
      machine.setProvisioningState("Succeeded");
      return Optional.empty();
    } catch (Refusal refusal) {
      ArmError why = refusal.error();
      machine.fail(why.code());
      return Optional.of(
          why.code().equals(PublicAddresses.OUT_OF_ADDRESSES)
              ? why
              : ArmError.of(
                      400, "NetworkingInternalOperationError", "The network operation failed.")
                  .because(why.code(), "%s", why.message()));
    }
  }
}
