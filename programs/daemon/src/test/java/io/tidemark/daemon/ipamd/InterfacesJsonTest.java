package io.tidemark.daemon.ipamd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.daemon.DaemonError;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.error.IpamException;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The file of a node's interfaces")
class InterfacesJsonTest {
  @TempDir Path folder;
  private final DataStore store =
      DataStore.inMemory(new VirtualTime(0), CidrKind.SECONDARY, CooldownRule.DEFAULT);

  private void add(String text) throws IOException {
    Path file = folder.resolve("interfaces.json");
    Files.writeString(file, text);
    IpamdInterfacesJson.addTo(store, file);
  }

  @Test
  @DisplayName(
      "Interfaces are added with their addresses and prefixes; device 0 is the primary one")
  void whole() throws IOException {
    add(
        "{\"interfaces\": [{\"id\": \"eni-1\", \"device\": 0, \"subnet\": \"subnet-1\","
            + " \"addresses\": [\"10.0.0.5\", \"10.0.0.6\"]},"
            + " {\"id\": \"eni-2\", \"device\": 1,"
            + " \"prefixes\": [\"10.0.0.16/28\", \"2001:db8::/80\"]}]}");
    assertThat(store.view().enis())
        .extracting(each -> each.spec().id(), each -> each.spec().primary())
        .containsExactly(tuple("eni-1", true), tuple("eni-2", false));
    assertThat(store.view().enis().get(1).spec().routeTableId()).isEqualTo(2);
    assertThat(store.view().enis().get(1).cidrs())
        .extracting(each -> each.cidr().toString(), CidrView::kind)
        .containsExactly(
            tuple("10.0.0.16/28", CidrKind.PREFIX), tuple("2001:db8::/80", CidrKind.PREFIX));
  }

  @ParameterizedTest(name = "{0} is refused: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[                                              | it is not valid JSON",
        "{}                                             | interfaces is missing or empty",
        "{\"interfaces\": []}                           | interfaces is missing or empty",
        "{\"interfaces\": [{\"id\": \"e\"}]}            | interfaces[0] needs an id and a device",
        "{\"interfaces\": [{\"id\": \"e\", \"mac\": 1}]} | interfaces[0].mac is not known",
        "{\"interfaces\": [{\"id\": \"e\", \"device\": 0, \"addresses\": [\"x\"]}]} | 'x' of e",
        "{\"interfaces\": [{\"id\": \"e\", \"device\": 0, \"addresses\": [\"2001:db8::1\"]}]} | from prefixes",
        "{\"interfaces\": [{\"id\": \"e\", \"device\": 0}, {\"id\": \"e\", \"device\": 1}]} | TM-1701",
      })
  @DisplayName("A file that is not as described is refused with the place")
  void refused(String text, String why) {
    assertThatThrownBy(() -> add(text))
        .isInstanceOfSatisfying(
            IpamException.class,
            refused -> assertThat(refused.code()).isEqualTo(DaemonError.INTERFACES_UNREADABLE))
        .hasMessageContaining("interfaces.json")
        .hasMessageContaining(why);
  }

  @Test
  @DisplayName("A file that is not there is refused")
  void absent() {
    assertThatThrownBy(() -> IpamdInterfacesJson.addTo(store, folder.resolve("none")))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("cannot be read: it does not exist");
  }
}
