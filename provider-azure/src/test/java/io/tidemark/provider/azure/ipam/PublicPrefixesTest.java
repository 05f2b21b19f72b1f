package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("AZ-B30 Which public prefix gives a node its address")
class PublicPrefixesTest {
  private static final String NETWORK =
      "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network";
  private static final ResourceId OWN = ResourceId.of(NETWORK + "/publicIPAddresses/own");

  private static PublicPrefix prefix(
      String name, String range, String state, Map<String, String> tags, ResourceId... taken) {
    return new PublicPrefix(
        ResourceId.of(NETWORK + "/publicIPPrefixes/" + name),
        "westeurope",
        "Standard",
        List.of(),
        tags,
        Optional.of(Cidr.parse(range)),
        state,
        new HashSet<>(List.of(taken)));
  }

  private static final PublicPrefix FIRST =
      prefix("first", "203.0.113.0/31", "succeeded", Map.of("env", "prod", "team", "a"));
  private static final PublicPrefix SECOND =
      prefix("second", "203.0.113.2/31", "succeeded", Map.of("env", "test", "team", "a"));

  private static List<String> chosen(Map<String, String> tags, PublicPrefix... all) {
    return StaticAddress.usable(List.of(all), tags, OWN).stream()
        .map(each -> each.id().name())
        .toList();
  }

  @Test
  @DisplayName("AZ-B30 it has all of the tags, and may have more")
  void tags() {
    assertThat(chosen(Map.of("env", "prod", "team", "a"), FIRST, SECOND)).containsExactly("first");
    assertThat(chosen(Map.of("env", "test"), FIRST, SECOND)).containsExactly("second");
    assertThat(chosen(Map.of("team", "a"), FIRST, SECOND)).containsExactly("first", "second");
    assertThat(chosen(Map.of("env", "dev"), FIRST, SECOND)).isEmpty();
    assertThat(chosen(Map.of("env", "prod", "zone", "1"), FIRST, SECOND)).isEmpty();
  }

  @Test
  @DisplayName("AZ-B30 one that is not ready, is full or is of IPv6 is passed over")
  void unusable() {
    Map<String, String> tags = Map.of("env", "prod");
    ResourceId a = ResourceId.of(NETWORK + "/publicIPAddresses/a");
    ResourceId b = ResourceId.of(NETWORK + "/publicIPAddresses/b");
    assertThat(
            chosen(
                tags,
                prefix("updating", "203.0.113.4/31", "updating", tags),
                prefix("full", "203.0.113.6/31", "succeeded", tags, a, b),
                prefix("ipv6", "2001:db8::/124", "succeeded", tags),
                prefix("half", "203.0.113.8/31", "succeeded", tags, a)))
        .containsExactly("half");
  }

  @Test
  @DisplayName("AZ-B30 the one that a first try has made an address of comes first, also when full")
  void own() {
    Map<String, String> tags = Map.of("env", "prod");
    ResourceId other = ResourceId.of(NETWORK + "/publicIPAddresses/other");
    PublicPrefix full = prefix("full", "203.0.113.6/31", "succeeded", tags, OWN, other);
    assertThat(chosen(tags, FIRST, full)).containsExactly("full");
    assertThat(full.free()).isZero();
  }
}
