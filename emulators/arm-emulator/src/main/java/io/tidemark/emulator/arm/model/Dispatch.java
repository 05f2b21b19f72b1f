package io.tidemark.emulator.arm.model;

import io.tidemark.emulator.arm.gate.Access;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.ArmRequest;
import io.tidemark.emulator.arm.request.Operation;
import java.time.Instant;
import java.util.Optional;

/** Which class answers an operation that may be carried out. Not thread-safe. */
final class Dispatch {
  private final World world;
  private final Operations operations;
  private final Access access;
  private final Reads reads;
  private final NetworkReads networks;
  private final InterfaceReads interfaces;
  private final ArmMachineReads machines;
  private final PublicReads publics;
  private final InterfaceWrites interfaceWrites;
  private final InstanceWrites instanceWrites;
  private final PublicAddressWrites publicWrites;
  private final TagWrites tags;
  private final Deletions deletions;

  Dispatch(
      World world,
      Operations operations,
      InstanceWrites instanceWrites,
      Access access,
      ModelOptions options) {
    this.world = world;
    this.operations = operations;
    this.access = access;
    this.reads = new Reads(world, options);
    this.networks = new NetworkReads(world, reads);
    this.interfaces = new InterfaceReads(world, reads);
    this.machines = new ArmMachineReads(world, reads);
    this.publics = new PublicReads(world, reads);
    this.interfaceWrites = new InterfaceWrites(world, operations, options);
    this.instanceWrites = instanceWrites;
    this.publicWrites = new PublicAddressWrites(world, operations);
    this.tags = new TagWrites(world, reads, operations);
    this.deletions = new Deletions(world, reads, operations);
  }

  /**
   * Carries a request out.
   *
   * @param fault how the operation that it begins ends when not as it should
   */
  ArmReply answer(
      Operation operation,
      ArmRequest request,
      ArmId path,
      String principal,
      Optional<ArmFault> fault,
      Instant now) {
    return switch (operation) {
      case VIRTUAL_NETWORKS_LIST_ALL, VIRTUAL_NETWORKS_LIST -> networks.networks(request, path);
      case VIRTUAL_NETWORKS_GET -> networks.network(request, path);
      case SUBNETS_LIST -> networks.subnets(request, path);
      case SUBNETS_GET -> networks.subnet(request, path);
      case VIRTUAL_NETWORKS_LIST_USAGE -> networks.usages(request, path);
      case INTERFACES_LIST_ALL, INTERFACES_LIST -> interfaces.interfaces(request, path);
      case INTERFACES_GET, INTERFACES_GET_SCALE_SET -> interfaces.networkInterface(request, path);
      case INTERFACES_LIST_SCALE_SET -> interfaces.interfacesOfSet(request, path, now);
      case INTERFACES_LIST_SCALE_SET_VM -> interfaces.interfacesOfInstance(request, path, now);
      case INTERFACES_CREATE_OR_UPDATE -> interfaceWrites.put(request, path, fault, now);
      case INTERFACES_UPDATE_TAGS -> tags.networkInterface(request, path, now);
      case INTERFACES_DELETE -> deletions.networkInterface(request, path, fault, now);
      case IP_CONFIGURATIONS_LIST -> interfaces.configurations(request, path);
      case IP_CONFIGURATIONS_GET -> interfaces.configuration(request, path);
      case SCALE_SETS_LIST_ALL, SCALE_SETS_LIST -> machines.sets(request, path);
      case SCALE_SETS_GET -> machines.set(path);
      case SCALE_SETS_GET_INSTANCE_VIEW -> machines.viewOfSet(path);
      case SCALE_SET_VMS_LIST -> machines.instances(request, path);
      case SCALE_SET_VMS_GET, VIRTUAL_MACHINES_GET -> machines.machine(request, path);
      case SCALE_SET_VMS_GET_INSTANCE_VIEW, VIRTUAL_MACHINES_INSTANCE_VIEW -> machines.view(path);
      case SCALE_SET_VMS_UPDATE -> instance(request, path, fault, now);
      case VIRTUAL_MACHINES_LIST_ALL, VIRTUAL_MACHINES_LIST -> machines.machines(request, path);
      case PUBLIC_PREFIXES_LIST_ALL, PUBLIC_PREFIXES_LIST -> publics.prefixes(request, path);
      case PUBLIC_PREFIXES_GET -> publics.prefix(request, path);
      case PUBLIC_ADDRESSES_LIST_ALL, PUBLIC_ADDRESSES_LIST -> publics.addresses(request, path);
      case PUBLIC_ADDRESSES_GET, PUBLIC_ADDRESSES_GET_SCALE_SET -> publics.address(request, path);
      case PUBLIC_ADDRESSES_LIST_SCALE_SET -> publics.ofSet(request, path);
      case PUBLIC_ADDRESSES_LIST_SCALE_SET_VM -> publics.ofConfiguration(request, path);
      case PUBLIC_ADDRESSES_CREATE_OR_UPDATE -> publicWrites.put(request, path, fault, now);
      case PUBLIC_ADDRESSES_UPDATE_TAGS -> tags.publicAddress(request, path);
      case PUBLIC_ADDRESSES_DELETE -> deletions.publicAddress(request, path, fault, now);
      case OPERATIONS_GET -> operations.state(request, path, now);
      case OPERATION_RESULTS_GET -> result(request, operations.polled(request, path, now));
      case PERMISSIONS_LIST -> permissions(request, path.scopeOfPermissions(), principal);
    };
  }

  private ArmReply instance(ArmRequest request, ArmId path, Optional<ArmFault> fault, Instant now) {
    ArmMachine machine = reads.found(world.machines, path);
    ArmReply reply = instanceWrites.put(request, machine, fault, now);
    return ArmMachine.knowsEtags(request.apiVersion()) ? reply.with("ETag", machine.etag()) : reply;
  }

  private ArmReply result(ArmRequest request, LongOperation found) {
    if (!found.isOver()) {
      return operations.pending();
    }
    if (found.removes()) {
      return found.removal();
    }
    ArmId resource = found.resource;
    if (world.publics.addresses().containsKey(resource)) {
      return publics.address(request, resource);
    }
    return world.nics.containsKey(resource)
        ? interfaces.networkInterface(request, resource)
        : machines.machine(request, resource);
  }

  private ArmReply permissions(ArmRequest request, ArmId scope, String principal) {
    reads.requireScope(scope);
    return reads.page(request, access.permissions(principal, scope).stream(), each -> each);
  }
}
