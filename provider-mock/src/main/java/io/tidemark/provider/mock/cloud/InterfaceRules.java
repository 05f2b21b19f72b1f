package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.NetworkInterface.Attachment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The effect of each mutating request, and when it is refused. A refused request changes nothing.
 * Not thread-safe.
 */
final class InterfaceRules {
  private static final int REMEMBERED_TOKENS_MAX = 200_000;

  private final CloudState state;
  private final InstanceTypes types;
  private final IdSource ids;
  private final Map<String, Creation> byToken =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Creation> eldest) {
          return size() > REMEMBERED_TOKENS_MAX;
        }
      };

  /** The request of a client token. */
  private record Creation(CreateInterfaceRequest request, NetworkInterface answer) {}

  InterfaceRules(CloudState state, InstanceTypes types, IdSource ids) {
    this.state = state;
    this.types = types;
    this.ids = ids;
  }

  NetworkInterface create(CreateInterfaceRequest request, int atMost) throws CloudException {
    Creation known = request.clientToken().isEmpty() ? null : byToken.get(request.clientToken());
    if (known != null) {
      if (!known.request().equals(request)) {
        throw new CloudException(
            CloudErrorCode.TOKEN_MISMATCH,
            "The client token '"
                + request.clientToken()
                + "' was used before with other parameters.");
      }
      return state.findInterface(known.answer().id()).orElse(known.answer());
    }
    if (request.singles() > 0 && request.prefixes() > 0) {
      throw invalid("secondaryPrivateIpAddressCount and ipv4PrefixCount exclude each other");
    }
    SubnetBooks books = state.subnet(request.subnetId());
    for (String group : request.securityGroups()) {
      if (!state.groups().isEmpty() && !state.groups().containsKey(group)) {
        throw new CloudException(
            CloudErrorCode.GROUP_NOT_FOUND, "The security group '" + group + "' does not exist");
      }
    }
    int singles = Math.min(request.singles(), atMost);
    int prefixes = Math.min(request.prefixes(), atMost);
    List<Cidr> blocks = prefixes == 0 ? List.of() : books.takeBlocks(prefixes);
    AddressSet addresses;
    try {
      addresses = books.takeSingles(1 + singles);
    } catch (CloudException noRoom) {
      books.give(blocks);
      throw noRoom;
    }
    IpAddress primary = addresses.at(0);
    String id = newId();
    NetworkInterface created =
        new NetworkInterface(
            id,
            request.subnetId(),
            IdSource.macOf(id),
            request.description(),
            primary,
            addresses.minus(primary),
            blocks,
            request.securityGroups(),
            request.tags(),
            Optional.empty(),
            Optional.empty(),
            HeldIpv6.NONE);
    state.put(created, Mutation.Kind.INTERFACE_CREATED, CloudState.addressesOf(created));
    if (!request.clientToken().isEmpty()) {
      byToken.put(request.clientToken(), new Creation(request, created));
    }
    return created;
  }

  /** One that nothing has, not even what was adopted from an earlier cloud of the same seed. */
  private String newId() {
    String id = ids.interfaceId();
    while (state.hasSeen(id)) {
      id = ids.interfaceId();
    }
    return id;
  }

  Attachment attach(String interfaceId, String instanceId, int deviceIndex) throws CloudException {
    NetworkInterface loose = state.networkInterface(interfaceId);
    Instance instance = state.instance(instanceId);
    if (loose.attachment().isPresent()) {
      throw new CloudException(
          CloudErrorCode.INTERFACE_IN_USE, "Interface " + interfaceId + " is in use");
    }
    if (instance.state() != Instance.State.RUNNING) {
      throw new CloudException(
          CloudErrorCode.INCORRECT_STATE, "Instance '" + instanceId + "' is not 'running'");
    }
    List<NetworkInterface> attached = state.attached(instanceId);
    for (NetworkInterface each : attached) {
      if (each.attachment().orElseThrow().deviceIndex() == deviceIndex) {
        throw invalid(
            "Instance '"
                + instanceId
                + "' already has an interface attached at device index '"
                + deviceIndex
                + "'.");
      }
    }
    Optional<InstanceType> type = types.find(instance.type());
    if (type.isPresent() && attached.size() >= type.get().interfaces()) {
      throw new CloudException(
          CloudErrorCode.ATTACHMENT_LIMIT,
          "Interface count " + (attached.size() + 1) + " exceeds the limit for " + instance.type());
    }
    if (type.isPresent() && loose.placesTaken() > type.get().addressesPerInterface()) {
      throw new CloudException(
          CloudErrorCode.INTERFACE_ADDRESS_LIMIT,
          "Address count "
              + loose.placesTaken()
              + " on "
              + interfaceId
              + " exceeds the limit for "
              + instance.type());
    }
    Attachment attachment =
        new Attachment(IdSource.attachmentIdOf(interfaceId), instanceId, deviceIndex, false);
    state.put(
        loose.attachedBy(Optional.of(attachment)),
        Mutation.Kind.INTERFACE_ATTACHED,
        CloudState.addressesOf(loose));
    return attachment;
  }

  void deleteOnTermination(String interfaceId, boolean wanted) throws CloudException {
    NetworkInterface found = state.networkInterface(interfaceId);
    Attachment old =
        found
            .attachment()
            .orElseThrow(
                () ->
                    new CloudException(
                        CloudErrorCode.ATTACHMENT_NOT_FOUND,
                        "Interface " + interfaceId + " is not attached"));
    state.put(
        found.attachedBy(
            Optional.of(new Attachment(old.id(), old.instanceId(), old.deviceIndex(), wanted))),
        Mutation.Kind.ATTRIBUTE_CHANGED,
        AddressSet.of());
  }

  AssignedAddresses assign(String interfaceId, int singles, int prefixes) throws CloudException {
    NetworkInterface found = state.networkInterface(interfaceId);
    if ((singles > 0) == (prefixes > 0)) {
      throw invalid("exactly one of secondaryPrivateIpAddressCount and ipv4PrefixCount is needed");
    }
    requirePlaces(found, singles + prefixes);
    SubnetBooks books = state.subnet(found.subnetId());
    AddressSet more = singles > 0 ? books.takeSingles(singles) : AddressSet.of();
    List<Cidr> blocks = prefixes > 0 ? books.takeBlocks(prefixes) : List.of();
    List<Cidr> allBlocks = new ArrayList<>(found.prefixes());
    allBlocks.addAll(blocks);
    NetworkInterface next = found.holding(found.singles().plus(more), allBlocks);
    state.put(next, Mutation.Kind.ADDRESSES_ADDED, spelledOut(more, blocks));
    return new AssignedAddresses(more, blocks);
  }

  void unassign(String interfaceId, AddressSet singles, List<Cidr> prefixes) throws CloudException {
    NetworkInterface found = state.networkInterface(interfaceId);
    if (singles.contains(found.primary())) {
      throw invalid("The primary address " + found.primary() + " cannot be unassigned");
    }
    if (!found.singles().containsAll(singles) || !found.prefixes().containsAll(prefixes)) {
      throw invalid("Some of the specified addresses are not assigned to interface " + interfaceId);
    }
    SubnetBooks books = state.subnet(found.subnetId());
    books.give(singles);
    books.give(prefixes);
    List<Cidr> left = new ArrayList<>(found.prefixes());
    left.removeAll(prefixes);
    state.put(
        found.holding(found.singles().minus(singles), left),
        Mutation.Kind.ADDRESSES_REMOVED,
        spelledOut(singles, prefixes));
  }

  void detach(String interfaceId) throws CloudException {
    NetworkInterface found = state.networkInterface(interfaceId);
    Attachment attachment =
        found
            .attachment()
            .orElseThrow(
                () ->
                    new CloudException(
                        CloudErrorCode.ATTACHMENT_NOT_FOUND,
                        "Interface " + interfaceId + " is not attached"));
    if (attachment.deviceIndex() == 0) {
      throw invalid("The primary interface of " + attachment.instanceId() + " cannot be detached");
    }
    state.put(
        found.attachedBy(Optional.empty()),
        Mutation.Kind.INTERFACE_DETACHED,
        CloudState.addressesOf(found));
  }

  void delete(String interfaceId) throws CloudException {
    NetworkInterface found = state.networkInterface(interfaceId);
    if (found.attachment().isPresent()) {
      throw new CloudException(
          CloudErrorCode.INTERFACE_IN_USE, "Interface " + interfaceId + " is in use");
    }
    release(found);
    state.remove(found);
  }

  void associate(String allocationId, String interfaceId) throws CloudException {
    PublicAddress address = state.publicAddresses().get(allocationId);
    if (address == null) {
      throw new CloudException(
          CloudErrorCode.ALLOCATION_NOT_FOUND,
          "The allocation ID '" + allocationId + "' does not exist");
    }
    NetworkInterface found = state.networkInterface(interfaceId);
    if (address.interfaceId().equals(Optional.of(interfaceId))) {
      return;
    }
    if (address.interfaceId().isPresent() || found.publicAddress().isPresent()) {
      throw new CloudException(
          CloudErrorCode.ALREADY_ASSOCIATED,
          "resource " + allocationId + " or " + interfaceId + " is already associated");
    }
    state
        .publicAddresses()
        .put(
            allocationId,
            new PublicAddress(
                allocationId, address.address(), address.tags(), Optional.of(interfaceId)));
    state.put(
        found.withPublicAddress(Optional.of(address.address())),
        Mutation.Kind.ATTRIBUTE_CHANGED,
        AddressSet.of());
  }

  /** Ends an instance: marked interfaces go with it, the others become available. */
  void terminate(String instanceId) {
    Optional<Instance> found = state.findInstance(instanceId);
    if (found.isEmpty() || found.get().state() == Instance.State.TERMINATED) {
      return;
    }
    for (NetworkInterface each : state.attached(instanceId)) {
      if (each.attachment().orElseThrow().deleteOnTermination()) {
        release(each);
        state.remove(each);
      } else {
        state.put(
            each.attachedBy(Optional.empty()),
            Mutation.Kind.INTERFACE_DETACHED,
            CloudState.addressesOf(each));
      }
    }
    state.aliases().forget(instanceId);
    state.put(found.get().in(Instance.State.TERMINATED));
  }

  /** Routes a range to the first interface of an instance. */
  void addAlias(String instanceId, Cidr cidr) throws CloudException {
    Instance instance = state.instance(instanceId);
    boolean plugged =
        state.attached(instanceId).stream()
            .anyMatch(each -> each.attachment().orElseThrow().deviceIndex() == 0);
    if (!plugged) {
      throw invalid("Instance " + instance.id() + " has no interface at device index 0");
    }
    Optional<Map.Entry<Cidr, String>> other = state.aliases().overlapping(cidr);
    if (other.isPresent()) {
      boolean same = other.get().getKey().equals(cidr) && other.get().getValue().equals(instanceId);
      throw new CloudException(
          same ? CloudErrorCode.ALIAS_DUPLICATE : CloudErrorCode.ALIAS_IN_USE,
          "The alias range '"
              + other.get().getKey()
              + "' belongs to instance '"
              + other.get().getValue()
              + "'");
    }
    state.aliases().add(instanceId, cidr, state.nowNanos());
  }

  private void release(NetworkInterface gone) {
    for (PublicAddress each : List.copyOf(state.publicAddresses().values())) {
      if (each.interfaceId().equals(Optional.of(gone.id()))) {
        state
            .publicAddresses()
            .put(
                each.allocationId(),
                new PublicAddress(
                    each.allocationId(), each.address(), each.tags(), Optional.empty()));
      }
    }
  }

  private void requirePlaces(NetworkInterface found, int more) throws CloudException {
    Optional<InstanceType> type =
        found
            .attachment()
            .flatMap(attachment -> state.findInstance(attachment.instanceId()))
            .flatMap(instance -> types.find(instance.type()));
    if (type.isPresent() && found.placesTaken() + more > type.get().addressesPerInterface()) {
      throw new CloudException(
          CloudErrorCode.PRIVATE_IP_ADDRESS_LIMIT,
          "Number of private addresses will exceed limit.");
    }
  }

  private static AddressSet spelledOut(AddressSet singles, List<Cidr> blocks) {
    AddressSet all = singles;
    for (Cidr block : blocks) {
      all = all.plus(AddressSet.ofRange(block));
    }
    return all;
  }

  private static CloudException invalid(String text) {
    return new CloudException(CloudErrorCode.INVALID_PARAMETER, text);
  }
}
