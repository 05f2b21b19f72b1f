package io.tidemark.provider.azure.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.time.VirtualTime;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Ids in the paths of requests (provider-azure 1.1)")
class PathsTest {
  private final List<String> urls = new ArrayList<>();

  private final ArmApi api =
      ArmDoors.api(
          (BlockingConnection)
              (request, context) -> {
                urls.add(request.getUrl().toString());
                return EmulatorTransport.response(request, 404, "{}");
              },
          URI.create("https://management.azure.com"),
          () -> "static-door",
          new VirtualTime(0));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a b      | a%20b
          a%b      | a%25b
          a?x=1    | a%3Fx%3D1
          a#b      | a%23b
          (a)_b.c-d| (a)_b.c-d
          größe    | gr%C3%B6%C3%9Fe
          a{b}     | a%7Bb%7D
          a@b      | a%40b
          """)
  @DisplayName("AZ-N10 a name stays in its place of the path, whatever its characters are")
  void encoded(String group, String expected) {
    ResourceId id =
        ResourceId.of(
            "/subscriptions/s/resourceGroups/"
                + group
                + "/providers/Microsoft.Network/networkInterfaces/n");
    try {
      api.read(ArmRead.networkInterface(id));
    } catch (ArmFailure notFound) {
      assertThat(notFound.status()).isEqualTo(404);
    }
    assertThat(urls)
        .singleElement()
        .asString()
        .startsWith(
            "https://management.azure.com/subscriptions/s/resourceGroups/"
                + expected
                + "/providers/Microsoft.Network/networkInterfaces/n?api-version=");
  }
}
