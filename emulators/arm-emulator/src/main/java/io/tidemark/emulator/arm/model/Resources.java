package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.network.ArmNic;
import io.tidemark.emulator.arm.network.ArmPublicPrefix;
import io.tidemark.emulator.arm.network.ArmSubnet;
import io.tidemark.emulator.arm.network.Assigned;
import io.tidemark.emulator.arm.network.Configuration;
import io.tidemark.emulator.arm.network.ConfigurationRules;
import io.tidemark.emulator.arm.network.SubnetAddresses;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.kit.time.Agenda;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes and changes resources as their owner does beside the requests that are served: virtual
 * networks, scale sets, machines and what happens to them. An unknown id is an {@link
 * IllegalArgumentException}; what Azure does not accept is a {@link Refusal}. Not thread-safe.
 */
public record Resources(
    World world,
    InstanceWrites instances,
    Operations operations,
    ModelOptions options,
    Agenda agenda,
    Instant now) {
  /** Makes a virtual network without subnets. */
  public void addNetwork(String id, String location) {
    ArmId network = ArmId.of(id);
    requireNew(world.networks, network);
    world.networks.put(network, location);
  }

  /**
   * Makes a subnet.
   *
   * @param id below that of its network
   * @param busy whether Azure leaves the list of its configurations out
   * @param occupied addresses that other resources have
   */
  public void addSubnet(String id, List<Cidr> prefixes, boolean busy, int occupied) {
    ArmId subnet = ArmId.of(id);
    found(world.networks, subnet.parent().text());
    requireNew(world.subnets, subnet);
    ArmSubnet.requireValid(
        subnet,
        prefixes,
        world.subnets.values().stream()
            .filter(each -> each.id().parent().equals(subnet.parent()))
            .toList());
    SubnetAddresses addresses =
        new SubnetAddresses(prefixes, options.reuseDelay(), world.newRandom());
    Refusal.when(
        occupied > addresses.limit(),
        "SubnetIsFull",
        "Subnet %s has %s addresses, not %s.",
        id,
        addresses.limit(),
        occupied);
    addresses.occupy(occupied, now);
    world.subnets.put(subnet, new ArmSubnet(subnet, prefixes, busy, world.newEtag(), addresses));
  }

  /** Gives these addresses of a subnet to resources that are not modelled; taken ones stay so. */
  public void takeAddresses(String subnetId, Collection<IpAddress> addresses) {
    addresses.forEach(found(world.subnets, subnetId).addresses()::take);
  }

  /**
   * Makes a scale set without instances.
   *
   * @param interfaceModels what each instance gets, as {@code networkInterfaceConfigurations} says
   */
  public void addScaleSet(
      String id, String location, boolean uniform, List<Document> interfaceModels) {
    ArmId set = ArmId.of(id);
    requireNew(world.sets, set);
    world.sets.put(set, new ScaleSet(set, location, uniform, interfaceModels));
  }

  /** Makes an instance of a Uniform set; returns its id. */
  public String addInstance(String setId, int number) {
    ScaleSet set = found(world.sets, setId);
    ArmId id = set.id().child("virtualMachines", Integer.toString(number));
    ArmMachine made = machine(id, set.location(), Document.EMPTY);
    made.setInterfaceModels(set.interfaceModels());
    for (Document model : set.interfaceModels()) {
      String name = model.text("name").orElse("");
      addNic(
          id.child("networkInterfaces", name),
          made,
          Configuration.all(model),
          model.object("properties").without("ipConfigurations"));
    }
    return id.text();
  }

  /**
   * Makes a virtual machine, or with a Flexible set an instance of it.
   *
   * @param set the id of its set; empty for none
   */
  public void addMachine(String id, String location, Optional<String> set) {
    Document properties =
        set.map(
                each ->
                    Document.of(
                        "virtualMachineScaleSet",
                        Document.reference(found(world.sets, each).id().text())))
            .orElse(Document.EMPTY);
    machine(ArmId.of(id), location, properties);
  }

  private ArmMachine machine(ArmId id, String location, Document properties) {
    Document rest =
        Document.of(
            "properties",
            properties
                .with("hardwareProfile", Document.of("vmSize", "Standard_D4s_v5"))
                .with(
                    "storageProfile",
                    Document.of(
                            "osDisk",
                            Document.of("osType", "Linux").with("createOption", "FromImage"))
                        .with("dataDisks", List.of())));
    requireNew(world.machines, id);
    ArmMachine made = new ArmMachine(id, location, world.newUuid(), rest);
    world.machines.put(id, made);
    return made;
  }

  /**
   * Makes an interface and attaches it to a virtual machine.
   *
   * @param configurations elements of ipConfigurations
   * @param properties other properties of the interface
   */
  public void addInterface(
      String id, String machineId, List<Document> configurations, Document properties) {
    addNic(
        ArmId.of(id),
        machine(machineId),
        configurations.stream().map(Configuration::of).toList(),
        properties);
  }

  private void addNic(
      ArmId id, ArmMachine machine, List<Configuration> wishes, Document properties) {
    requireNew(world.nics, id);
    ArmNic nic = new ArmNic(id, Optional.of(machine.id));
    int others = world.otherConfigurations(machine.id, id);
    int primary = ConfigurationRules.requireValid(wishes, others, machine.uniform);
    List<Assigned> assigned = world.assign(nic, List.of(), wishes, primary, "Succeeded", now);
    Document rest =
        Document.of("location", machine.location)
            .with("properties", properties.with("primary", machine.nics.isEmpty()));
    Duration wait = options.macDelay().draw(world.newRandom());
    String mac = world.newMac();
    Optional<String> first = wait.isZero() ? Optional.of(mac) : Optional.empty();
    world.set(nic, new ArmNic.State(rest, assigned, first, world.newEtag(), "Succeeded"), now);
    world.nics.put(id, nic);
    machine.nics.add(id);
    if (first.isEmpty()) {
      Instant due = now.plus(wait);
      agenda.at(due, () -> world.change(nic, state -> state.withMac(mac), due));
    }
  }

  /** Starts a machine, or stops it; a deallocated one keeps its interfaces. */
  public void setPower(String machineId, Power power) {
    ArmMachine machine = machine(machineId);
    machine.setPower(power);
    machine.changed();
  }

  /** Begins to delete a machine: it is shown as such, and writes to it are refused. */
  public void markForDeletion(String machineId) {
    ArmMachine machine = machine(machineId);
    machine.setProvisioningState("Deleting");
    machine.changed();
  }

  /** Takes an interface from its virtual machine, which keeps another one; it stays. */
  public void detach(String interfaceId) {
    ArmNic nic = nic(interfaceId);
    nic.machine().map(ArmId::text).map(this::machine).ifPresent(it -> it.nics.remove(nic.id()));
    nic.detach();
    touch(interfaceId);
  }

  /** Deletes a machine with its interfaces. */
  public void delete(String machineId) {
    ArmMachine machine = machine(machineId);
    operations.preempt(machine.id, now);
    for (ArmId each : machine.nics) {
      operations.preempt(each, now);
      ArmNic nic = world.nics.get(each);
      if (nic != null) {
        world.remove(nic, now);
      }
    }
    world.machines.remove(machine.id);
  }

  /** Gives a Uniform instance the model of its set, without what was added to it alone. */
  public void upgradeToModel(String instanceId) {
    ArmMachine machine = machine(instanceId);
    machine.setInterfaceModels(found(world.sets, machine.id.parent().text()).interfaceModels());
    machine.changed();
    instances.reconcile(machine, now);
  }

  /** Lets something else go on with a machine for a while. */
  public void occupy(String machineId, Duration lasts) {
    ArmMachine machine = machine(machineId);
    machine.setProvisioningState("Updating");
    agenda.at(
        now.plus(lasts),
        () -> {
          if (machine.provisioningState().equals("Updating") && !operations.goesOn(machine.id)) {
            machine.setProvisioningState("Succeeded");
          }
        });
  }

  /** Changes the provisioning state of an interface, as a fault of Azure does. */
  public void setProvisioningState(String interfaceId, String state) {
    world.change(nic(interfaceId), before -> before.withProvisioningState(state), now);
  }

  /**
   * Makes a public IP prefix.
   *
   * @param labels its {@code tags} and {@code zones}
   * @param occupied addresses that other resources have
   */
  public void addPublicPrefix(
      String id, String location, Cidr range, Document labels, int occupied) {
    ArmId prefix = ArmId.of(id);
    ArmPublicPrefix made =
        new ArmPublicPrefix(prefix, location, range, labels, world.newEtag(), world.newRandom());
    for (int i = 0; i < occupied; i++) {
      made.take(ArmId.of(prefix.parent() + "/publicIPAddresses/" + prefix.name() + "-" + i));
    }
    world.publics.prefixes().put(prefix, made);
  }

  /** Changes the provisioning state of a public IP prefix. */
  public void setPrefixState(String id, String state) {
    found(world.publics.prefixes(), id).setProvisioningState(state);
  }

  /** Changes a machine as another client does: it has another etag. */
  public void touchMachine(String machineId) {
    machine(machineId).changed();
  }

  /** Changes an interface as another client does: it has another etag. */
  public void touch(String interfaceId) {
    ArmNic nic = nic(interfaceId);
    world.change(
        nic, before -> before.withConfigurations(before.configurations(), world.newEtag()), now);
  }

  private ArmNic nic(String id) {
    return found(world.nics, id);
  }

  private ArmMachine machine(String id) {
    return found(world.machines, id);
  }

  private static <T> T found(Map<ArmId, T> all, String id) {
    @Nullable T found = all.get(ArmId.of(id));
    if (found == null) {
      throw new IllegalArgumentException("there is no resource " + id);
    }
    return found;
  }

  private static void requireNew(Map<ArmId, ?> all, ArmId id) {
    Refusal.when(all.containsKey(id), 409, "Conflict", "There is a resource %s already.", id);
  }
}
