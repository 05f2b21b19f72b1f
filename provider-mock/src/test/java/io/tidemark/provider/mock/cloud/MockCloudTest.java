package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
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
    assertThat(launch("i-1", "m5.large").primary()).isEqualTo(IpAddress.parse("10.0.0.4"));
    assertThat(cloud.subnet("subnet-1").orElseThrow().freeAddresses()).isEqualTo(250);
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
}
