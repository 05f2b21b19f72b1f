package io.tidemark.datastore.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointData.Released;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.ip.IpAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The format of a checkpoint")
class CheckpointJsonTest {
  private static final String HEAD = "{\"version\":\"vpc-cni-ipam/1\",\"allocations\":";

  private static final CheckpointEntry POD =
      CheckpointEntry.of(
          new IpamKey("aws-cni", "c1", "eth0"),
          IpAddress.parse("10.0.0.7"),
          1_700_000_000_123_456_789L,
          new IpamMetadata("default", "p", 1));

  private static CheckpointData read(String text) throws UnreadableCheckpoint {
    return CheckpointReaderJson.read(text.getBytes(UTF_8));
  }

  private static String print(CheckpointData data) {
    return new String(CheckpointJson.print(data), UTF_8);
  }

  private static CheckpointData of(CheckpointEntry... entries) {
    return new CheckpointData(List.of(entries), Optional.empty(), "");
  }

  @ParameterizedTest(name = "D70 {0} is read and written as it is")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          an empty pool | []
          IPv4 | [{"networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv4":"10.0.0.7","allocationTimestamp":1700000000000000000,"metadata":{"k8sPodNamespace":"default","k8sPodName":"p","interfacesCount":1}}]
          IPv6 | [{"networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv6":"2001:db8::1","allocationTimestamp":1700000000000000001,"metadata":{"k8sPodNamespace":"default","k8sPodName":"p","interfacesCount":2}}]
          no metadata | [{"networkName":"","containerID":"c1","ifName":"","ipv4":"10.0.0.7","allocationTimestamp":0,"metadata":{}}]
          unknown members | [{"networkName":"n","containerID":"c1","ifName":"i","ipv4":"10.0.0.7","allocationTimestamp":1,"metadata":{"k8sPodName":"p","later":{"a":[1,2.50,null]}},"more":"\\u0001","exact":1E+400}]
          """)
  void golden(String what, String allocations) throws UnreadableCheckpoint {
    String text = HEAD + allocations + "}\n";
    assertThat(print(read(text))).as(what).isEqualTo(text);
  }

  @Test
  @DisplayName("D70 Unknown members of the document survive")
  void unknownMembers() throws UnreadableCheckpoint {
    String text = HEAD + "[],\"later\":{\"x\":[{}]},\"n\":1.0}\n";
    assertThat(print(read(text))).isEqualTo(text);
  }

  @ParameterizedTest(name = "D70 {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          version 1.7 without time and metadata | {"version":"vpc-cni-ipam/1","allocations":[{"networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv4":"10.0.0.7"}]}
          text behind the document | {"version":"vpc-cni-ipam/1","allocations":[{"networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv4":"10.0.0.7"}]} {"version":"x"} garbage
          members in another order and case | {"ALLOCATIONS":[{"IPv4":"10.0.0.7","ifname":"eth0","ContainerId":"c1","NETWORKNAME":"aws-cni"}],"Version":"vpc-cni-ipam/1"}
          of a member that comes twice the last | {"version":"x","version":"vpc-cni-ipam/1","allocations":[{"networkName":"z","networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv4":"10.0.0.7"}]}
          null as the empty value | {"version":"vpc-cni-ipam/1","allocations":[{"networkName":"aws-cni","containerID":"c1","ifName":"eth0","ipv4":"10.0.0.7","ipv6":null,"allocationTimestamp":null,"metadata":null}]}
          """)
  void lenient(String what, String text) throws UnreadableCheckpoint {
    CheckpointEntry expected =
        CheckpointEntry.of(POD.key(), IpAddress.parse("10.0.0.7"), 0, IpamMetadata.NONE);
    assertThat(read(text)).as(what).isEqualTo(of(expected));
  }

  @Test
  @DisplayName("D70 A document without allocations, or with null, has none")
  void absent() throws UnreadableCheckpoint {
    assertThat(read("{\"version\":\"vpc-cni-ipam/1\"}")).isEqualTo(CheckpointData.EMPTY);
    assertThat(read(HEAD + "null}")).isEqualTo(CheckpointData.EMPTY);
  }

  @Test
  @DisplayName("D75 Time stamps keep their nanoseconds, and all that is added is read again")
  void whole() throws UnreadableCheckpoint {
    Extension extension =
        new Extension(
            "boot \"1\"",
            17,
            List.of(new Released(IpAddress.parse("10.0.0.9"), 1_700_000_000_000_000_007L)),
            List.of(POD.withKey(new IpamKey("n", "<orphan>", "i"))));
    CheckpointData data = new CheckpointData(List.of(POD), Optional.of(extension), "\"x\":1");
    assertThat(read(print(data))).isEqualTo(data);
  }

  @ParameterizedTest(name = "D72 {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          ~~ | CORRUPT | the file is empty
          <html> | CORRUPT | line 1, column 1: Unexpected character
          [] | CORRUPT | line 1, column 1: expected an object, found [
          {} | VERSION | its version is ''; expected 'vpc-cni-ipam/1'
          {"version":"vpc-cni-ipam/2"} | VERSION | its version is 'vpc-cni-ipam/2'
          {"version":5} | CORRUPT | line 1, column 12: expected a text, found 5
          {"version":"vpc-cni-ipam/1","allocations":{}} | CORRUPT | line 1, column 43: expected a list, found {
          {"version":"vpc-cni-ipam/1","allocations":[7]} | CORRUPT | column 44: expected an object, found 7
          {"allocations":[{"containerID":"c","ipv4":"10.0.0.256"}]} | CORRUPT | column 43: '10.0.0.256' is not an IPv4 address
          {"allocations":[{"containerID":"c","ipv4":"::1"}]} | CORRUPT | '::1' is not an IPv4 address
          {"allocations":[{"containerID":"c","ipv6":"10.0.0.1"}]} | CORRUPT | '10.0.0.1' is not an IPv6 address
          {"allocations":[{"containerID":"c"}]} | CORRUPT | column 17: an assignment has neither ipv4 nor ipv6
          {"allocations":[{"ipv4":"10.0.0.1"}]} | CORRUPT | an assignment has neither network, container nor interface
          {"allocations":[{"allocationTimestamp":1.5}]} | CORRUPT | expected a whole number, found 1.5
          {"allocations":[{"allocationTimestamp":99999999999999999999}]} | CORRUPT | out of range of long
          {"allocations":[{"metadata":{"interfacesCount":-1}}]} | CORRUPT | -1 is not a count
          {"x-tidemark":{"cooldown":[{"unassignedAt":1}]}} | CORRUPT | a released address has no member ip
          """)
  void refused(String text, Kind kind, String why) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOfSatisfying(
            UnreadableCheckpoint.class, it -> assertThat(it.kind()).isEqualTo(kind))
        .hasMessageContaining(why);
  }

  @Test
  @DisplayName("D72 A file cut at any byte is refused, and never read as a shorter one")
  void cut() throws UnreadableCheckpoint {
    Extension extension = new Extension("b", 1, List.of(), List.of(POD));
    byte[] whole =
        CheckpointJson.print(new CheckpointData(List.of(POD), Optional.of(extension), "\"x\":{}"));
    int document = whole.length - 1;
    assertThat(CheckpointReaderJson.read(Arrays.copyOf(whole, document)).allocations()).hasSize(1);
    for (int length = 0; length < document; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> CheckpointReaderJson.read(part))
          .as("%s bytes", length)
          .isInstanceOf(UnreadableCheckpoint.class);
    }
  }

  @Test
  @DisplayName("D127 An assignment that was changed behind the checksum's back is found")
  void checksum() throws UnreadableCheckpoint {
    Extension extension = new Extension("b", 1, List.of(), List.of());
    String text = print(new CheckpointData(List.of(POD), Optional.of(extension), ""));
    assertThat(read(text).allocations()).containsExactly(POD);
    assertThatThrownBy(() -> read(text.replace("10.0.0.7", "10.0.0.8")))
        .hasMessageContaining("the allocations, bytes 42 to ")
        .hasMessageContaining("checksum");
    assertThat(
            read(text.replaceFirst(",\"x-tidemark\".*}", "}").replace("0.7", "0.8")).allocations())
        .as("a file of another program has none")
        .hasSize(1);
  }
}
