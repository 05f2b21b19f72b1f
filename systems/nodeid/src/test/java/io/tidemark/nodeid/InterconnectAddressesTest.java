package io.tidemark.nodeid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.SharedKey.Profile;
import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Addresses of an interface of every node")
class InterconnectAddressesTest {
  private static String address(Profile profile, String range, String excluded, long id) {
    List<IpAddress> addresses =
        Stream.of(excluded.split(" ", -1))
            .filter(text -> !text.equals("-"))
            .map(IpAddress::parse)
            .sorted()
            .toList();
    try {
      return new InterconnectAddresses(Cidr.parse(range), addresses, profile)
          .address(NodeId.of(id))
          .toString();
    } catch (IpamException e) {
      assertThat(e.code()).isEqualTo(NodeIdError.NODE_ID_OUT_OF_RANGE);
      return "refused";
    }
  }

  @DisplayName("NI-D4/NI-25 An excluded address moves the later ones only if it is in the range")
  @ParameterizedTest(name = "id {0} without {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # id | excluded       | ours    | reference
          1    | -              | .1      | .1
          5    | -              | .5      | .5
          100  | -              | .100    | .100
          254  | -              | .254    | .254
          255  | -              | refused | .255
          256  | -              | refused | refused
          257  | -              | refused | refused
          1    | 192.168.16.1   | .2      | .2
          5    | 192.168.16.1   | .6      | .6
          100  | 192.168.16.1   | .101    | .101
          253  | 192.168.16.1   | .254    | .254
          254  | 192.168.16.1   | refused | .255
          255  | 192.168.16.1   | refused | 192.168.17.0
          256  | 192.168.16.1   | refused | refused
          1    | 192.168.16.100 | .1      | .1
          5    | 192.168.16.100 | .5      | .5
          100  | 192.168.16.100 | .101    | .101
          254  | 192.168.16.100 | refused | .255
          255  | 192.168.16.100 | refused | 192.168.17.0
          1    | 10.0.0.1       | .1      | .2
          5    | 10.0.0.1       | .5      | .6
          100  | 10.0.0.1       | .100    | .101
          254  | 10.0.0.1       | .254    | .255
          255  | 10.0.0.1       | refused | 192.168.17.0
          1    | 200.0.0.1      | .1      | .1
          5    | 200.0.0.1      | .5      | .5
          100  | 200.0.0.1      | .100    | .100
          254  | 200.0.0.1      | .254    | .254
          255  | 200.0.0.1      | refused | .255
          """)
  void gateway(long id, String excluded, String ours, String reference) {
    String range = "192.168.16.0/24";
    assertThat(address(Profile.TIDEMARK, range, excluded, id)).isEqualTo(full(ours));
    assertThat(address(Profile.REFERENCE, range, excluded, id)).isEqualTo(full(reference));
  }

  private static String full(String shown) {
    if (shown.equals("refused")) {
      return shown;
    }
    return (shown.startsWith(".") ? "192.168.16" + shown : shown) + "/24";
  }

  @DisplayName("NI-21/NI-D6 Nodes take the hosts that are not excluded, in order")
  @ParameterizedTest(name = "{0} without {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          3.4.5.192/26 | 3.4.5.194                     | 62 | .193 .195 .196
          3.4.5.192/26 | 3.4.5.193 3.4.5.195 3.4.5.194 | 62 | .196 .197 .198
          3.4.5.192/26 | 3.4.5.195 3.4.5.193           | 62 | .194 .196 .197
          3.4.5.192/26 | 3.4.5.192 3.4.5.255           | 62 | .193 .194 .195
          """)
  void order(String range, String excluded, int hosts, String expected) {
    String[] all = expected.split(" ", -1);
    for (int id = 1; id <= all.length; id++) {
      assertThat(address(Profile.TIDEMARK, range, excluded, id))
          .isEqualTo("3.4.5" + all[id - 1] + "/26");
    }
    List<IpAddress> addresses =
        Stream.of(excluded.split(" ", -1)).map(IpAddress::parse).sorted().toList();
    long inside =
        addresses.stream()
            .filter(
                a -> !a.equals(Cidr.parse(range).first()) && !a.equals(Cidr.parse(range).last()))
            .count();
    assertThat(new InterconnectAddresses(Cidr.parse(range), addresses, Profile.TIDEMARK).ids())
        .isEqualTo(hosts - inside);
  }

  @DisplayName("Of wide IPv6 ranges the first 2^32 - 1 hosts serve, excluded ones apart")
  @ParameterizedTest(name = "id {0} without {1}")
  @CsvSource({
    "1, fe80::1:2:3:4, fe80::1/10",
    "4294967295, fe80::7, fe80::1:0:0/10",
    "4294967295, -, fe80::ffff:ffff/10",
    "1, fe80::1, fe80::2/10"
  })
  void wide(long id, String excluded, String expected) {
    assertThat(address(Profile.TIDEMARK, "fe80::/10", excluded, id))
        .isEqualTo(Objects.requireNonNull(expected));
  }
}
