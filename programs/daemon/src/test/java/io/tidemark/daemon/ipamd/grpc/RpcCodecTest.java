package io.tidemark.daemon.ipamd.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.daemon.ipamd.NodeFacts;
import io.tidemark.daemon.ipamd.PodReply;
import io.tidemark.daemon.ipamd.PodRequest;
import io.tidemark.daemon.ipamd.VpcRouting;
import io.tidemark.daemon.ipamd.WireForm;
import io.tidemark.datastore.Assignment;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages of the plugin as bytes")
class RpcCodecTest {
  private static final IpamKey KEY = new IpamKey("aws-cni", "c1", "eth0");
  private static final VpcRouting ROUTING =
      new VpcRouting(true, List.of("10.0.0.0/16", "10.1.0.0/16"), List.of("fd00::/56"));
  private static final Assignment V4 = assignment("10.0.0.9", 1, 2);
  private static final Assignment V6 = assignment("fd00::9", 0, 254);

  private static Assignment assignment(String address, int device, int table) {
    IpAddress ip = IpAddress.parse(address);
    return new Assignment(ip, "eni-1", device, table, Cidr.single(ip));
  }

  private static Wire add() {
    return new Wire()
        .text(1, "web")
        .text(2, "default")
        .text(3, "infra")
        .text(4, "/proc/1/ns/net")
        .text(5, "eth0")
        .text(6, "aws-cni")
        .text(7, "c1")
        .text(8, "v1.23.1");
  }

  private static Wire del() {
    return new Wire()
        .text(1, "web")
        .text(2, "default")
        .text(3, "infra")
        .text(5, "PodDeleted")
        .text(6, "eth0")
        .text(7, "aws-cni")
        .text(8, "c1")
        .text(9, "v1.19.6")
        .text(10, "uid");
  }

  @Test
  @DisplayName("D115 An ADD is read by its field numbers; what is left out is empty")
  void addRequest() throws InvalidMessageException {
    assertThat(RpcCodec.addRequest(add().number(9, 1).done()))
        .isEqualTo(new PodRequest(KEY, "default", "web", "v1.23.1"));
    assertThat(RpcCodec.addRequest(new byte[0]))
        .isEqualTo(new PodRequest(new IpamKey("", "", ""), "", "", ""));
  }

  @Test
  @DisplayName("D115 A DEL is read by its field numbers")
  void delRequest() throws InvalidMessageException {
    assertThat(RpcCodec.delRequest(del().done()))
        .isEqualTo(new PodRequest(KEY, "default", "web", "v1.19.6"));
    assertThat(RpcCodec.reason(del().done())).isEqualTo("PodDeleted");
  }

  @Test
  @DisplayName("D115 Unknown fields are skipped, and of a repeated field the last one counts")
  void unknown() throws InvalidMessageException {
    byte[] bytes =
        add()
            .text(77, "later")
            .number(78, -1)
            .raw(0x9b, 0x06, 0x08, 0x01, 0x9c, 0x06) // field 99: a group with a field of its own
            .raw(0xa5, 0x06, 1, 2, 3, 4) // field 100: four bytes
            .raw(0xa9, 0x06, 1, 2, 3, 4, 5, 6, 7, 8) // field 101: eight bytes
            .text(1, "api")
            .done();
    assertThat(RpcCodec.addRequest(bytes))
        .isEqualTo(new PodRequest(KEY, "default", "api", "v1.23.1"));
  }

  @Test
  @DisplayName(
      "D115 A field of another type, also one that is not used, is refused with its number")
  void wrongType() {
    for (int field = 1; field <= 8; field++) {
      byte[] bytes = add().number(field, 1).done();
      assertThatThrownBy(() -> RpcCodec.addRequest(bytes))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessage("field " + field + " has wire type 0; expected 2");
    }
    assertThatThrownBy(() -> RpcCodec.addRequest(add().text(9, "x").done()))
        .hasMessage("field 9 has wire type 2; expected 0");
    assertThatThrownBy(() -> RpcCodec.delRequest(del().number(10, 1).done()))
        .hasMessage("field 10 has wire type 0; expected 2");
    assertThatCode(() -> RpcCodec.delRequest(del().number(4, 1).done()))
        .as("a DEL has no field 4")
        .doesNotThrowAnyException();
  }

  @Test
  @DisplayName("D115 A message that is cut, ends a group, or holds no UTF-8 is refused")
  void broken() throws InvalidMessageException {
    byte[] whole = add().done();
    int read = 0;
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      try {
        PodRequest request = RpcCodec.addRequest(cut);
        assertThat(Wire.read(cut).getOrDefault(7, List.of("")))
            .containsExactly(request.key().containerId());
        read++;
      } catch (InvalidMessageException refused) {
        assertThat(refused).hasMessageStartingWith("the request cannot be read: ");
      }
    }
    assertThat(read).as("only between two fields").isEqualTo(8);
    assertThatThrownBy(() -> RpcCodec.emptyRequest(new Wire().raw(0x0c).done()))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> RpcCodec.healthRequest(new Wire().raw(0x0a, 1, 0xff).done()))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  @DisplayName("D115 A request of 64 KiB is read, a longer one is refused")
  void size() throws InvalidMessageException {
    int overhead = new Wire().text(1, "x".repeat(20_000)).done().length - 20_000;
    byte[] largest = new Wire().text(1, "x".repeat(RpcCodec.BYTES_MAX - overhead)).done();
    assertThat(largest).hasSize(RpcCodec.BYTES_MAX);
    assertThat(RpcCodec.healthRequest(largest)).hasSize(RpcCodec.BYTES_MAX - overhead);
    assertThatThrownBy(() -> RpcCodec.healthRequest(Arrays.copyOf(largest, largest.length + 1)))
        .hasMessage("the request has 65537 bytes; expected at most 65536");
  }

  @Test
  @DisplayName("D115 From 1.20 an ADD's reply lists addresses, each with its device and table")
  void addReplyWithList() {
    PodReply reply = new PodReply(WireForm.ADDRESS_LIST, true, List.of(V4, V6));
    Map<Integer, List<String>> fields = Wire.read(RpcCodec.addReply(reply, ROUTING));
    assertThat(fields).containsOnlyKeys(1, 2, 5, 6, 12);
    assertThat(fields.get(1)).containsExactly("1");
    assertThat(fields.get(2)).hasSize(2);
    assertThat(Wire.inner(Wire.values(RpcCodec.addReply(reply, ROUTING), 2).get(0)))
        .isEqualTo(Map.of(1, List.of("10.0.0.9"), 3, List.of("1"), 4, List.of("2")));
    assertThat(fields.get(5)).containsExactly("1");
    assertThat(fields.get(6)).containsExactly("10.0.0.0/16", "10.1.0.0/16");
    assertThat(fields.get(12)).containsExactly("fd00::/56");
  }

  @Test
  @DisplayName("D115 Table 254 takes two bytes, and device 0 is left out")
  void mainTable() {
    PodReply reply = new PodReply(WireForm.ADDRESS_LIST, true, List.of(V6));
    byte[] inner = new Wire().text(2, "fd00::9").number(4, 254).done();
    assertThat(RpcCodec.addReply(reply, VpcRouting.NONE))
        .isEqualTo(new Wire().number(1, 1).bytes(2, inner).done());
  }

  @Test
  @DisplayName("D115 Before 1.20 an ADD's reply has one address, by its family")
  void addReplyWithAddress() {
    PodReply v4 = new PodReply(WireForm.ONE_ADDRESS, true, List.of(V4));
    assertThat(Wire.read(RpcCodec.addReply(v4, VpcRouting.NONE)))
        .isEqualTo(Map.of(1, List.of("1"), 2, List.of("10.0.0.9"), 4, List.of("1")));
    PodReply v6 = new PodReply(WireForm.ONE_ADDRESS, true, List.of(V6));
    assertThat(Wire.read(RpcCodec.addReply(v6, VpcRouting.NONE)))
        .isEqualTo(Map.of(1, List.of("1"), 11, List.of("fd00::9")));
  }

  @Test
  @DisplayName("D115 A DEL's reply in both forms")
  void delReply() {
    PodReply list = new PodReply(WireForm.ADDRESS_LIST, true, List.of(V4));
    byte[] inner = new Wire().text(1, "10.0.0.9").number(3, 1).number(4, 2).done();
    assertThat(RpcCodec.delReply(list)).isEqualTo(new Wire().number(1, 1).bytes(2, inner).done());
    PodReply v4 = new PodReply(WireForm.ONE_ADDRESS, true, List.of(V4));
    assertThat(Wire.read(RpcCodec.delReply(v4)))
        .isEqualTo(Map.of(1, List.of("1"), 2, List.of("10.0.0.9"), 3, List.of("1")));
    PodReply v6 = new PodReply(WireForm.ONE_ADDRESS, true, List.of(V6));
    assertThat(Wire.read(RpcCodec.delReply(v6)))
        .isEqualTo(Map.of(1, List.of("1"), 5, List.of("fd00::9")));
  }

  @Test
  @DisplayName("D115 A reply without success has no address, and no policy mode is ever named")
  void withoutSuccess() {
    for (WireForm form : WireForm.values()) {
      assertThat(RpcCodec.addReply(new PodReply(form, false, List.of()), VpcRouting.NONE))
          .isEmpty();
      assertThat(RpcCodec.delReply(new PodReply(form, false, List.of()))).isEmpty();
    }
    NodeFacts node = new NodeFacts("10.0.0.1", "fd00::1", "i-1", "eu-central-1");
    assertThat(Wire.read(RpcCodec.facts(node)))
        .isEqualTo(
            Map.of(
                3, List.of("10.0.0.1"),
                4, List.of("fd00::1"),
                5, List.of("i-1"),
                6, List.of("eu-central-1")));
    assertThat(RpcCodec.facts(NodeFacts.UNKNOWN)).isEmpty();
  }

  @Test
  @DisplayName("D115 Of 10,000 requests that are damaged at random each is read or refused")
  void fuzz() {
    Random random = new Random(115);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = damaged(random, (i % 2 == 0 ? add() : del()).done());
      try {
        Object request = i % 2 == 0 ? RpcCodec.addRequest(bytes) : RpcCodec.delRequest(bytes);
        assertThat(request).isNotNull();
        read++;
      } catch (InvalidMessageException expected) {
        refused++;
      }
    }
    assertThat(read).isGreaterThan(500);
    assertThat(refused).isGreaterThan(500);
  }

  private static byte[] damaged(Random random, byte[] valid) {
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] bytes = Arrays.copyOf(valid, valid.length - random.nextInt(3));
    for (int flips = random.nextInt(4); flips > 0; flips--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }
}
