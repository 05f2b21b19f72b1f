package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The mock cloud")
class MockCloudTest {
  private final VirtualTime time = new VirtualTime(0);
  private final MockCloud cloud = new MockCloud(CloudSettings.calm(), time);

  MockCloudTest() {
    cloud.setup().vpc(new Vpc("vpc-1", Cidr.parse("10.0.0.0/16"), List.of()));
    subnet("subnet-1", "10.0.0.0/24");
  }

  private void subnet(String id, String cidr) {
    cloud.setup().subnet(new Subnet(id, "vpc-1", "zone-1", Cidr.parse(cidr), Map.of()));
  }

  private NetworkInterface launch(String id, String type) {
    return cloud.setup().launch(InstanceLaunch.of(id, type, "subnet-1"));
  }

  private NetworkInterface create(int singles, int prefixes, String token)
      throws CloudException, IOException {
    return cloud.createNetworkInterface(
        new CreateInterfaceRequest(
            "subnet-1", "test", List.of(), Map.of(), singles, prefixes, token));
  }

  private static CloudErrorCode refusal(ThrowingCallable request) {
    return catchThrowableOfType(CloudException.class, request).code();
  }

  @Test
  @DisplayName("keeps the first four and the last address of a subnet for itself")
  void reservedAddresses() {
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(251);
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeBlocks())
        .as("all of 16 but the first and the last /28")
        .isEqualTo(14);
    assertThat(launch("i-1", "m5.large").primary()).isEqualTo(IpAddress.parse("10.0.0.4"));
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(250);
  }

  @Test
  @DisplayName(
      "gives no interface the id of one that was adopted from an earlier cloud of its seed")
  void idsAfterAdoption() throws Exception {
    MockCloud earlier = new MockCloud(CloudSettings.calm(), time);
    earlier.setup().vpc(new Vpc("vpc-1", Cidr.parse("10.0.0.0/16"), List.of()));
    earlier.setup().subnet(cloud.setup().subnets().get(0));
    NetworkInterface before =
        earlier.createNetworkInterface(
            new CreateInterfaceRequest("subnet-1", "test", List.of(), Map.of(), 0, 0, ""));
    cloud.setup().plugIn(before);

    assertThat(create(0, 0, "").id()).isNotEqualTo(before.id());
  }

  @Test
  @DisplayName("refuses more places than the instance type has, for singles and blocks alike")
  void placesPerInterface() throws Exception {
    String eni = launch("i-1", "m5.large").id();

    cloud.assignPrivateIpAddresses(eni, 7, 0);
    cloud.assignPrivateIpAddresses(eni, 0, 2);

    assertThat(refusal(() -> cloud.assignPrivateIpAddresses(eni, 1, 0)))
        .isEqualTo(CloudErrorCode.PRIVATE_IP_ADDRESS_LIMIT);
    assertThat(refusal(() -> cloud.assignPrivateIpAddresses(eni, 0, 1)))
        .isEqualTo(CloudErrorCode.PRIVATE_IP_ADDRESS_LIMIT);
  }

  @Test
  @DisplayName("refuses the second interface at an index and one more than the type has")
  void attachLimits() throws Exception {
    launch("i-1", "m4.large");
    String first = create(0, 0, "a").id();
    String second = create(0, 0, "b").id();

    assertThat(refusal(() -> cloud.attachNetworkInterface(first, "i-1", 0)))
        .isEqualTo(CloudErrorCode.INVALID_PARAMETER);
    cloud.attachNetworkInterface(first, "i-1", 1);
    assertThat(refusal(() -> cloud.attachNetworkInterface(first, "i-1", 2)))
        .isEqualTo(CloudErrorCode.INTERFACE_IN_USE);
    assertThat(refusal(() -> cloud.attachNetworkInterface(second, "i-1", 2)))
        .isEqualTo(CloudErrorCode.ATTACHMENT_LIMIT);
    assertThat(refusal(() -> cloud.attachNetworkInterface(second, "i-9", 1)))
        .isEqualTo(CloudErrorCode.INSTANCE_NOT_FOUND);
  }

  @Test
  @DisplayName("gives the same interface for the same token and refuses other parameters")
  void clientTokens() throws Exception {
    NetworkInterface first = create(3, 0, "same");

    assertThat(create(3, 0, "same").id()).isEqualTo(first.id());
    assertThat(refusal(() -> create(4, 0, "same"))).isEqualTo(CloudErrorCode.TOKEN_MISMATCH);
    assertThat(create(3, 0, "other").id()).isNotEqualTo(first.id());
  }

  @Test
  @DisplayName("has no block in a subnet whose every /28 is touched, though addresses are free")
  void fragmentation() throws Exception {
    String eni = launch("i-1", "m5.large").id();
    AddressSet.Builder oneInEachBlock = AddressSet.builder();
    for (int i = 1; i < 16; i++) {
      oneInEachBlock.add(IpAddress.parse("10.0.0." + 16 * i));
    }
    cloud.setup().occupy("subnet-1", oneInEachBlock.build());

    assertThat(refusal(() -> cloud.assignPrivateIpAddresses(eni, 0, 1)))
        .isEqualTo(CloudErrorCode.INSUFFICIENT_CIDR_BLOCKS);
    assertThat(cloud.assignPrivateIpAddresses(eni, 9, 0).singles().size()).isEqualTo(9);
  }

  @Test
  @DisplayName("takes marked interfaces with their instance and leaves the others available")
  void termination() throws Exception {
    launch("i-1", "m5.large");
    String marked = create(2, 0, "a").id();
    String leaked = create(2, 0, "b").id();
    cloud.attachNetworkInterface(marked, "i-1", 1);
    cloud.attachNetworkInterface(leaked, "i-1", 2);
    cloud.modifyDeleteOnTermination(marked, true);

    cloud.setup().terminate("i-1");

    assertThat(cloud.networkInterface(marked)).isEmpty();
    assertThat(cloud.networkInterface(leaked).orElseThrow().attachment()).isEmpty();
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(248);
    assertThat(refusal(() -> cloud.attachNetworkInterface(leaked, "i-1", 1)))
        .isEqualTo(CloudErrorCode.INSTANCE_NOT_FOUND);
  }

  @Test
  @DisplayName("attaches nothing to an instance that is not running")
  void notRunning() throws Exception {
    launch("i-1", "m5.large");
    String eni = create(0, 0, "a").id();
    cloud.setup().instanceState("i-1", Instance.State.STOPPED);

    CloudException refused =
        catchThrowableOfType(
            CloudException.class, () -> cloud.attachNetworkInterface(eni, "i-1", 1));

    assertThat(refused.code()).isEqualTo(CloudErrorCode.INCORRECT_STATE);
    assertThat(refused).hasMessageContaining("is not 'running'");
    cloud.setup().instanceState("i-1", Instance.State.RUNNING);
    cloud.attachNetworkInterface(eni, "i-1", 1);
  }

  @Test
  @DisplayName("takes away only what is there, all or nothing, and never the primary address")
  void unassigning() throws Exception {
    NetworkInterface eni = launch("i-1", "m5.large");
    AddressSet given = cloud.assignPrivateIpAddresses(eni.id(), 3, 0).singles();
    AddressSet more = given.plus(IpAddress.parse("10.0.0.200"));

    assertThat(refusal(() -> cloud.unassignPrivateIpAddresses(eni.id(), more, List.of())))
        .isEqualTo(CloudErrorCode.INVALID_PARAMETER);
    assertThat(
            refusal(
                () ->
                    cloud.unassignPrivateIpAddresses(
                        eni.id(), AddressSet.of(eni.primary()), List.of())))
        .isEqualTo(CloudErrorCode.INVALID_PARAMETER);
    assertThat(cloud.networkInterface(eni.id()).orElseThrow().singles()).isEqualTo(given);

    cloud.unassignPrivateIpAddresses(eni.id(), given, List.of());
    assertThat(refusal(() -> cloud.unassignPrivateIpAddresses(eni.id(), given, List.of())))
        .isEqualTo(CloudErrorCode.INVALID_PARAMETER);
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(250);
  }

  @Test
  @DisplayName("deletes only what is attached nowhere, detaches only what is not primary")
  void detachAndDelete() throws Exception {
    NetworkInterface primary = launch("i-1", "m5.large");
    String eni = create(4, 0, "a").id();
    cloud.attachNetworkInterface(eni, "i-1", 1);

    assertThat(refusal(() -> cloud.deleteNetworkInterface(eni)))
        .isEqualTo(CloudErrorCode.INTERFACE_IN_USE);
    assertThat(refusal(() -> cloud.detachNetworkInterface(primary.id())))
        .isEqualTo(CloudErrorCode.INVALID_PARAMETER);
    cloud.detachNetworkInterface(eni);
    assertThat(refusal(() -> cloud.detachNetworkInterface(eni)))
        .isEqualTo(CloudErrorCode.ATTACHMENT_NOT_FOUND);
    cloud.deleteNetworkInterface(eni);
    assertThat(refusal(() -> cloud.deleteNetworkInterface(eni)))
        .isEqualTo(CloudErrorCode.INTERFACE_NOT_FOUND);
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(250);
  }

  @Test
  @DisplayName("gives the last address of a subnet and then says that there is none")
  void exhaustion() throws Exception {
    subnet("subnet-2", "10.0.1.0/28");
    CreateInterfaceRequest ten =
        new CreateInterfaceRequest("subnet-2", "test", List.of(), Map.of(), 10, 0, "");
    CreateInterfaceRequest eleven =
        new CreateInterfaceRequest("subnet-2", "test", List.of(), Map.of(), 11, 0, "");

    assertThat(refusal(() -> cloud.createNetworkInterface(eleven)))
        .isEqualTo(CloudErrorCode.INSUFFICIENT_FREE_ADDRESSES);
    cloud.createNetworkInterface(ten);
    assertThat(cloud.subnet("subnet-2").orElseThrow().freeAddresses()).isZero();
    assertThat(refusal(() -> cloud.createNetworkInterface(ten)))
        .isEqualTo(CloudErrorCode.INSUFFICIENT_FREE_ADDRESSES);
  }

  @Test
  @DisplayName("gives the blocks back when the primary address of a new interface finds no room")
  void creationIsAllOrNothing() {
    subnet("subnet-2", "10.0.1.0/27");
    AddressSet others =
        AddressSet.ofRange(Cidr.parse("10.0.1.0/28"))
            .minus(AddressSet.ofRange(Cidr.parse("10.0.1.0/30")));
    cloud.setup().occupy("subnet-2", others);
    cloud.setup().occupy("subnet-2", AddressSet.of(IpAddress.parse("10.0.1.30")));
    int before = cloud.subnet("subnet-2").orElseThrow().freeAddresses();

    assertThat(
            refusal(
                () ->
                    cloud.createNetworkInterface(
                        new CreateInterfaceRequest(
                            "subnet-2", "test", List.of(), Map.of(), 0, 1, ""))))
        .isEqualTo(CloudErrorCode.INSUFFICIENT_CIDR_BLOCKS);
    assertThat(cloud.subnet("subnet-2").orElseThrow().freeAddresses()).isEqualTo(before);
  }

  @Test
  @DisplayName("binds a public address to one interface at a time")
  void publicAddresses() throws Exception {
    NetworkInterface first = launch("i-1", "m5.large");
    NetworkInterface second = launch("i-2", "m5.large");
    IpAddress address = IpAddress.parse("192.0.2.254");
    cloud
        .setup()
        .publicAddress(
            new PublicAddress("alloc-1", address, Map.of("use", "web"), Optional.empty()));

    assertThat(cloud.describeAddresses(Map.of("use", "other"))).isEmpty();
    assertThat(cloud.describeAddresses(Map.of("use", "web"))).hasSize(1);
    cloud.associateAddress("alloc-1", first.id());
    cloud.associateAddress("alloc-1", first.id());
    assertThat(refusal(() -> cloud.associateAddress("alloc-1", second.id())))
        .isEqualTo(CloudErrorCode.ALREADY_ASSOCIATED);
    assertThat(cloud.networkInterface(first.id()).orElseThrow().publicAddress()).contains(address);
  }

  @Test
  @DisplayName("lists all interfaces in parts that together hold each one once")
  void paging() throws Exception {
    subnet("subnet-2", "10.0.64.0/18");
    for (int i = 0; i < 2 * CloudSettings.PAGE_SIZE + 1; i++) {
      cloud.createNetworkInterface(
          new CreateInterfaceRequest("subnet-2", "test", List.of(), Map.of(), 0, 0, ""));
    }
    List<String> listed = new ArrayList<>();
    Optional<String> token = Optional.of("");
    int parts = 0;
    while (token.isPresent()) {
      Page<NetworkInterface> page =
          cloud.describeNetworkInterfaces(new InterfaceQuery.All(), token.get());
      page.items().forEach(each -> listed.add(each.id()));
      token = page.next();
      parts++;
    }
    assertThat(parts).isEqualTo(3);
    assertThat(listed).doesNotHaveDuplicates().hasSize(2 * CloudSettings.PAGE_SIZE + 1);
  }

  @Test
  @DisplayName("tells what changed, in order, and when it forgot something")
  void mutations() throws Exception {
    cloud.keepMutations(3);
    launch("i-1", "m5.large");
    String eni = create(1, 0, "a").id();
    Mutations first = cloud.drainMutations();
    assertThat(first.complete()).isTrue();
    assertThat(first.list())
        .extracting(Mutation::kind)
        .containsExactly(
            Mutation.Kind.INSTANCE_CHANGED,
            Mutation.Kind.INTERFACE_ATTACHED,
            Mutation.Kind.INTERFACE_CREATED);

    cloud.attachNetworkInterface(eni, "i-1", 1);
    AddressSet more = cloud.assignPrivateIpAddresses(eni, 2, 0).singles();
    Mutations second = cloud.drainMutations();
    assertThat(second.list().get(1).addresses()).isEqualTo(more);
    assertThat(second.list().get(1).instanceId()).isEqualTo("i-1");
    for (int i = 0; i < 4; i++) {
      cloud.assignPrivateIpAddresses(eni, 1, 0);
    }
    assertThat(cloud.drainMutations().complete()).isFalse();
    assertThat(cloud.drainMutations().complete()).isTrue();
  }
}
