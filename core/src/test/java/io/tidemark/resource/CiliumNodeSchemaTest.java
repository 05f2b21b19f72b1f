package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.testing.Repository;
import io.tidemark.testing.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What is written fits the schema of the resource definition")
class CiliumNodeSchemaTest {
  private static final CiliumNodeSchema OWN =
      CiliumNodeSchema.of(TestResources.text("/crd/ciliumnode-crd.yaml"));

  /** Beside the checkout, where a cluster's definition may lie: one more to check with. */
  private static final Path OTHER = Repository.root().resolve("../shared/crd/ciliumnodes.yaml");

  /** Fields that only a definition of 2026 and later declares. */
  private static final Set<String> NEWER =
      Set.of(
          "/spec/ipam/static-ip-tags",
          "/status/ipam/assigned-static-ip",
          "/status/eni/enis/eni-a/ipv6-prefixes",
          "/status/eni/enis/eni-a/public-ip");

  private record Definition(String name, CiliumNodeSchema schema, Set<String> undeclared) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> definitionsAndObjects() throws IOException {
    List<Definition> definitions = new ArrayList<>();
    definitions.add(new Definition("own definition", OWN, Set.of()));
    if (Files.exists(OTHER)) {
      CiliumNodeSchema other = CiliumNodeSchema.of(Files.readString(OTHER));
      definitions.add(new Definition("definition beside the checkout", other, NEWER));
    }
    return definitions.stream()
        .flatMap(each -> written().map(resource -> Arguments.of(each, resource)));
  }

  private static Stream<NodeResource> written() {
    NodeResource every =
        Samples.node("every")
            .instanceId("i-1")
            .preAllocate(8)
            .minAllocate(10)
            .maxAllocate(50)
            .maxAboveWatermark(2)
            .staticIpTag("pool", "public")
            .requested(24, 48)
            .allocated("10.0.0.16/28", "10.0.1.1/32")
            .pool("eni-a", "10.0.0.17", "10.0.0.18")
            .used("10.0.0.17", "default/web-1", "eni-a")
            .releaseIp("10.0.0.18", HandshakeState.MARKED_FOR_RELEASE)
            .releaseIp("10.0.0.19", HandshakeState.READY_FOR_RELEASE)
            .releaseIp("10.0.0.20", HandshakeState.DO_NOT_RELEASE)
            .releaseIp("10.0.0.21", HandshakeState.RELEASED)
            .eniSpec(everyEniSpec())
            .eni(everyEni())
            .build()
            .withAssignedStaticIp(IpAddress.parse("203.0.113.9"));
    return Stream.of(
        NodeResource.named("fresh"),
        every,
        every.withPool(PodIpPool.EMPTY).withReleaseIps(Map.of()),
        TestResources.parse(NodeResourceJson.print(every))
            .withEniStatus(new EniStatus(new TreeMap<>())));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("definitionsAndObjects")
  @DisplayName("N6 every object that is written is valid, has declared fields, and is read back")
  void fits(Definition definition, NodeResource resource) {
    assertThat(definition.schema().violations(resource)).isEmpty();
    assertThat(definition.schema().undeclared(resource)).isSubsetOf(definition.undeclared());
    NodeResource read = TestResources.parse(NodeResourceJson.print(resource));
    assertThat(read.eniSpec()).isEqualTo(resource.eniSpec());
    assertThat(read.eniStatus()).isEqualTo(resource.eniStatus());
  }

  @Test
  @DisplayName("N2 the check sees a value that the schema forbids and a field that it lacks")
  void canFail() {
    assertThat(OWN.violations(Samples.node("n", -1, 0, 0)))
        .singleElement()
        .asString()
        .contains("pre-allocate");
    NodeResource foreign = TestResources.node("{'ipam':{'surprise':1}}", "{}");
    assertThat(OWN.undeclared(foreign)).containsExactly("/spec/ipam/surprise");
  }

  private static EniSpec everyEniSpec() {
    return new EniSpec(
        "m5.large",
        OptionalInt.of(0),
        List.of("sg-2", "sg-1"),
        Map.of("team", "a"),
        List.of("subnet-b", "subnet-a"),
        Map.of("pods", "yes"),
        "subnet-a",
        "vpc-a",
        "zone-a",
        Map.of("skip", "1"),
        Optional.of(false),
        Optional.of(true),
        Optional.of(false));
  }

  private static EniStatus.Eni everyEni() {
    return new EniStatus.Eni(
        "eni-a",
        Optional.of(IpAddress.parse("10.0.0.4")),
        "02:00:00:00:00:01",
        "zone-a",
        "first",
        1,
        new EniStatus.SubnetRef("subnet-a", Optional.of(Cidr.parse("10.0.0.0/24"))),
        new EniStatus.VpcRef(
            "vpc-a", Optional.of(Cidr.parse("10.0.0.0/16")), List.of(Cidr.parse("10.1.0.0/16"))),
        List.of(IpAddress.parse("10.0.0.18"), IpAddress.parse("10.0.0.17")),
        List.of(Cidr.parse("10.0.0.16/28")),
        List.of(Cidr.parse("2001:db8::/80")),
        Optional.of(IpAddress.parse("203.0.113.4")),
        List.of("sg-1"),
        Map.of("k", "v"));
  }
}
