package io.tidemark.agent;

import static io.tidemark.agent.TestNode.DEFAULT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Families and mapped addresses")
class MappedAddressTest {
  private static final IpAddress MAPPED = IpAddress.parse("::ffff:10.0.0.1");
  private static final IpAddress PLAIN = IpAddress.parse("10.0.0.1");

  @ParameterizedTest(name = "A14 {0} is {1}")
  @CsvSource({"1.1.1.1, IPV4", "f00d::1, IPV6", "::ffff:1.2.3.4, IPV4"})
  @DisplayName("A14 A mapped address belongs to IPv4")
  void family(String ip, IpFamily family) {
    TestNode node = TestNode.hostScope();
    assertThat(node.refused(ip)).isEqualTo(Denial.familyDisabled(family));
  }

  @Test
  @DisplayName("A80 A mapped address is the IPv4 address in every request and every answer")
  void everyEntrance() {
    TestNode node = TestNode.hostScope("10.0.0.0/24");
    assertThat(node.take("::ffff:10.0.0.1", "a").ip()).isEqualTo(PLAIN);
    assertThat(node.refused("10.0.0.1")).isEqualTo(Denial.alreadyAllocated(PLAIN, "a"));
    assertThat(node.refused("::ffff:10.0.0.1")).isEqualTo(node.refused("10.0.0.1"));

    Lease lease = node.lease("::ffff:10.0.0.1", Duration.ofMinutes(1));
    assertThat(lease.ip()).isEqualTo(PLAIN);
    assertThat(node.ipam.stopLease(new Lease(new UUID(0, 0), MAPPED, DEFAULT)))
        .contains(Denial.leaseMismatch(PLAIN, DEFAULT, new UUID(0, 0)));
    assertThat(node.ipam.stopLease(new Lease(lease.id(), MAPPED, DEFAULT))).isEmpty();

    assertThat(node.ipam.release(MAPPED, DEFAULT)).isEmpty();
    assertThat(node.ipam.release(MAPPED, PoolName.NOT_GIVEN)).contains(Denial.poolRequired(PLAIN));
    assertThat(node.ipam.dump().ipv4()).isEmpty();

    node.exclude("::ffff:10.0.0.0/124", "router");
    assertThat(node.refused("10.0.0.15").detail()).endsWith("router");
    node.include("10.0.0.0/28");
    node.take("10.0.0.15", "a");
    node.exclude("::ffff:10.0.0.20", "router");
    assertThat(node.refused("10.0.0.20").detail()).endsWith("router");
  }

  @Test
  @DisplayName("A80 A range is written in IPv4, and an IPv6 block around the mapped ones is IPv6")
  void blocks() {
    assertThatThrownBy(() -> TestNode.range("::ffff:10.0.0.0/120"))
        .hasMessage("::ffff:10.0.0.0/120 is IPv4-mapped; write it as an IPv4 block");
    TestNode node = TestNode.hostScope("10.0.0.0/24", "f00d::/120");
    node.ipam.exclude(Cidr.parse("::/8"), "router", DEFAULT);
    node.take("10.0.0.1", "a");
    node.exclude("::/0", "all");
    assertThat(node.refused("f00d::1").detail()).endsWith("all");
    node.take("10.0.0.2", "a");
  }
}
