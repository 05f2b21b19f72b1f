package io.tidemark.emulator.arm;

import static io.tidemark.emulator.arm.Cloud.NET;
import static io.tidemark.emulator.arm.Cloud.NETWORK_API;
import static io.tidemark.emulator.arm.Cloud.SUBNET;
import static io.tidemark.emulator.arm.Cloud.addresses;
import static io.tidemark.emulator.arm.Cloud.answered;
import static io.tidemark.emulator.arm.Cloud.configurations;
import static io.tidemark.emulator.arm.Cloud.plus;
import static io.tidemark.emulator.arm.Cloud.plusBlock;
import static io.tidemark.emulator.arm.Cloud.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.network.BlockForm;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("13.8 (f) Addresses of a subnet")
class AddressRulesTest {
  private static Document usage(Cloud cloud) {
    return answered(cloud.get(NET + "/usages", NETWORK_API), 200).objects("value").get(0);
  }

  private static List<Document> onlyFirst(List<Document> all) {
    return all.subList(0, 1);
  }

  @ParameterizedTest(name = "/{0}: {1}")
  @CsvSource({"24,251", "28,11", "29,3"})
  @DisplayName("AZ-B29 five addresses are never given: the first four and the last")
  void reserved(int length, int limit) {
    Cloud cloud = new Cloud(ModelOptions.of(1), "10.0.0.0/" + length);
    assertThat(usage(cloud).number("limit")).contains(limit);
    assertThat(usage(cloud).number("currentValue")).as("two instances, one machine").contains(3);
    cloud.putNic(plus(limit - 3));
    assertThat(usage(cloud).number("currentValue")).contains(limit);
    assertThat(refusal(cloud.putNic(plus("more", 1)))).isEqualTo("400 SubnetIsFull");
    assertThat(addresses(cloud.nic()))
        .doesNotContain("10.0.0.0", "10.0.0.1", "10.0.0.2", "10.0.0.3");
  }

  @Test
  @DisplayName("an address is any free one, not the next")
  void anyFree() {
    Cloud cloud = new Cloud();
    cloud.putNic(plus(20));
    List<String> given = addresses(cloud.nic());
    assertThat(given).doesNotHaveDuplicates();
    assertThat(given).isNotEqualTo(given.stream().sorted().toList());
  }

  @Test
  @DisplayName("a block is aligned and free as a whole, else there is none")
  void blocks() {
    Cloud cloud = new Cloud(ModelOptions.of(1), "10.0.0.0/25");
    List<Cidr> given = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      if (cloud.putNic(plusBlock("b" + i)).status() == 200) {
        given.add(Cidr.parse(addresses(cloud.nic()).get(given.size() + 1)));
      }
    }
    assertThat(given).hasSizeBetween(3, 6).doesNotHaveDuplicates();
    assertThat(refusal(cloud.putNic(plusBlock("more")))).isEqualTo("400 InsufficientCidrBlocks");
    assertThat(cloud.putNic(plus(1)).status()).as("singles still fit").isEqualTo(200);
  }

  @Test
  @DisplayName("a write that does not fit as a whole takes nothing")
  void allOrNothing() {
    Cloud cloud = new Cloud(ModelOptions.of(1), "10.0.0.0/28");
    assertThat(refusal(cloud.putNic(plus(9)))).isEqualTo("400 SubnetIsFull");
    assertThat(usage(cloud).number("currentValue")).contains(3);
    assertThat(cloud.putNic(plus(8)).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("other resources can take addresses of their choice, and a block with them")
  void taken() {
    Cloud cloud = new Cloud(ModelOptions.of(1), "10.0.0.0/27");
    cloud.owner().takeAddresses(SUBNET, List.of(IpAddress.parse("10.0.0.20")));
    assertThat(usage(cloud).number("currentValue")).contains(4);
    assertThat(refusal(cloud.putNic(plusBlock("more")))).isEqualTo("400 InsufficientCidrBlocks");
  }

  @Test
  @DisplayName("a released address is given to nobody for a while")
  void reuseDelay() {
    Cloud cloud =
        new Cloud(ModelOptions.builder(1).reuseDelay(Duration.ofMinutes(8)).build(), "10.0.0.0/28");
    cloud.putNic(plus(8));
    cloud.putNic(AddressRulesTest::onlyFirst);
    assertThat(usage(cloud).number("currentValue")).contains(3);
    assertThat(refusal(cloud.putNic(plus("again", 1)))).isEqualTo("400 SubnetIsFull");
    cloud.pass(Duration.ofMinutes(8));
    assertThat(cloud.putNic(plus("again", 8)).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("a subnet lists its configurations, a busy one lists none, usages count both")
  void busySubnet() {
    Cloud cloud = new Cloud();
    cloud.owner().addSubnet(NET + "/subnets/busy", List.of(Cidr.parse("10.9.0.0/24")), true, 100);
    Document plain = answered(cloud.get(SUBNET, NETWORK_API), 200).object("properties");
    Document busy =
        answered(cloud.get(NET + "/subnets/busy", NETWORK_API), 200).object("properties");
    assertThat(plain.objects("ipConfigurations")).hasSize(3);
    assertThat(busy.has("ipConfigurations")).isFalse();
    assertThat(usage(cloud).number("currentValue")).as("of the busy one").contains(100);
  }

  @Test
  @DisplayName("several blocks stand in addressPrefixes, and all of them give addresses")
  void prefixes() {
    Cloud cloud = new Cloud(ModelOptions.of(1), "fd00::/64", "10.0.0.0/29", "10.0.1.0/29");
    Document subnet = answered(cloud.get(SUBNET, NETWORK_API), 200).object("properties");
    assertThat(subnet.has("addressPrefix")).isFalse();
    assertThat(subnet.get("addressPrefixes"))
        .isEqualTo(List.of("fd00::/64", "10.0.0.0/29", "10.0.1.0/29"));
    assertThat(usage(cloud).number("limit")).contains(6);
  }

  @Test
  @DisplayName("a subnet without IPv4 has usages of -1")
  void gatewaySubnet() {
    Cloud cloud = new Cloud();
    cloud.owner().addSubnet(NET + "/subnets/a", List.of(Cidr.parse("fd00::/64")), false, 0);
    assertThat(usage(cloud).number("limit")).contains(-1);
    assertThat(usage(cloud).number("currentValue")).contains(-1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"CIDR,/28", "ADDRESS_AND_LENGTH,0", "HOST_BITS,5"})
  @DisplayName("a block can be shown in three forms")
  void forms(BlockForm form, String end) {
    Cloud cloud = new Cloud(ModelOptions.builder(1).blockForm(form).build(), "10.0.0.0/20");
    cloud.putNic(plusBlock("b"));
    Document block = configurations(cloud.nic()).get(1).object("properties");
    String text = block.text("privateIPAddress").orElseThrow();
    assertThat(block.number("privateIPAddressPrefixLength")).contains(28);
    if (form == BlockForm.CIDR) {
      assertThat(text).endsWith(end);
    } else {
      int last = Integer.parseInt(text.substring(text.lastIndexOf('.') + 1));
      assertThat(last % 16).isEqualTo(Integer.parseInt(end));
    }
  }

  @Test
  @DisplayName("a refused write leaves every address as free as it was")
  void refusedDraws() {
    Cloud cloud =
        new Cloud(ModelOptions.builder(1).reuseDelay(Duration.ofMinutes(8)).build(), "10.0.0.0/28");
    assertThat(refusal(cloud.putNic(plus(9)))).isEqualTo("400 SubnetIsFull");
    assertThat(cloud.putNic(plus(8)).status()).isEqualTo(200);
  }

  private static Document fixed(String name, String address) {
    return Cloud.configuration(name, SUBNET)
        .withProperty("privateIPAllocationMethod", "Static")
        .withProperty("privateIPAddress", address);
  }

  @Test
  @DisplayName("an address can be asked for, unless it is in use, reserved or of another subnet")
  void named() {
    Cloud cloud =
        new Cloud(ModelOptions.builder(1).reuseDelay(Duration.ofMinutes(8)).build(), "10.0.0.0/28");
    String taken = addresses(cloud.nic()).get(0);
    Map<String, String> codes =
        Map.of(
            taken,
            "PrivateIPAddressIsAllocated",
            "10.0.0.0",
            "PrivateIPAddressInReservedRange",
            "10.0.0.3",
            "PrivateIPAddressInReservedRange",
            "10.0.0.15",
            "PrivateIPAddressInReservedRange",
            "10.0.0.16",
            "PrivateIPAddressNotInSubnet",
            "10.9.0.4",
            "PrivateIPAddressNotInSubnet",
            "fd00::4",
            "PrivateIPAddressNotInSubnet",
            "here",
            "InvalidRequestFormat");
    codes.forEach(
        (wrong, code) ->
            assertThat(refusal(cloud.putNic(all -> List.of(all.get(0), fixed("x", wrong)))))
                .as(wrong)
                .isEqualTo("400 " + code));
    cloud.putNic(plus(1));
    String free = addresses(cloud.nic()).get(1);
    cloud.putNic(AddressRulesTest::onlyFirst);
    cloud.putNic(all -> List.of(all.get(0), fixed("x", free)));
    assertThat(addresses(cloud.nic()).get(1)).isEqualTo(free);
    assertThat(cloud.putNic(plus("rest", 7)).status())
        .as("it is no longer released")
        .isEqualTo(200);
  }

  @Test
  @DisplayName("a static address must be named, for a new configuration and for one that has one")
  void unnamed() {
    Cloud cloud = new Cloud();
    Document unnamed =
        Cloud.configuration("x", SUBNET).withProperty("privateIPAllocationMethod", "Static");
    assertThat(refusal(cloud.putNic(all -> List.of(all.get(0), unnamed))))
        .isEqualTo("400 PrivateIPAddressMissing");
    cloud.putNic(all -> List.of(all.get(0), Cloud.configuration("x", SUBNET)));
    assertThat(refusal(cloud.putNic(all -> List.of(all.get(0), unnamed))))
        .isEqualTo("400 PrivateIPAddressMissing");
    String given = addresses(cloud.nic()).get(1);
    assertThat(cloud.putNic(all -> List.of(all.get(0), fixed("x", given))).status()).isEqualTo(200);
    assertThat(addresses(cloud.nic()).get(1)).as("it keeps what it has").isEqualTo(given);
  }

  @Test
  @DisplayName(
      "a configuration that moves to another subnet, or becomes a block, gets a new address")
  void moved() {
    Cloud cloud = new Cloud(ModelOptions.of(1), "10.0.0.0/24");
    String other = NET + "/subnets/other";
    cloud.owner().addSubnet(other, List.of(Cidr.parse("10.1.0.0/24")), false, 0);
    cloud.putNic(plus(1));
    cloud.putNic(
        all -> List.of(all.get(0), all.get(1).withProperty("privateIPAddressPrefixLength", 28)));
    assertThat(addresses(cloud.nic()).get(1)).endsWith("/28");
    cloud.putNic(
        all ->
            all.stream()
                .map(each -> each.withProperty("subnet", Document.reference(other)))
                .toList());
    assertThat(addresses(cloud.nic())).allMatch(each -> each.startsWith("10.1.0."));
    assertThat(
            answered(cloud.get(SUBNET, NETWORK_API), 200)
                .object("properties")
                .objects("ipConfigurations"))
        .as("the instances")
        .hasSize(2);
    assertThat(usage(cloud).number("currentValue")).contains(2);
  }
}
