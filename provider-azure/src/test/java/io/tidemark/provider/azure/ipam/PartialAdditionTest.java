package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Additions of which a read shows a part (Z19)")
class PartialAdditionTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final OneNode node = OneNode.on(world, Form.UNIFORM.machine);

  @BeforeEach
  void listsLackTheLast() {
    world.way.rewriting(PartialAdditionTest::lackingTheLast);
  }

  /** A list of interfaces without the last configuration of each. */
  private static String lackingTheLast(String body) {
    return body.contains("\"virtualMachine\"")
        ? DocumentJson.read(body)
            .map(
                list ->
                    list.with(
                        "value", list.objects("value").stream().map(it -> lacking(it)).toList()))
            .map(DocumentJson::print)
            .orElse(body)
        : body;
  }

  private static Document lacking(Document networkInterface) {
    Document properties = networkInterface.object("properties");
    List<Document> all = properties.objects("ipConfigurations");
    List<Document> some = all.subList(0, Math.max(1, all.size() - 1));
    return networkInterface.with("properties", properties.with("ipConfigurations", some));
  }

  private void assertReadingBack() {
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
  }

  @Test
  @DisplayName("Z19 what is shown counts; nothing more is asked for while the rest may still come")
  void restMayCome() {
    AddressSet two = node.added(3);
    assertThat(two.size()).isEqualTo(2);
    assertThat(node.addresses()).isEqualTo(two);
    assertReadingBack();
    world.way.rewriting(body -> body);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses().size()).isEqualTo(3);
    assertThat(world.writes()).isEqualTo(1);
  }

  @Test
  @DisplayName("Z19 a read that shows no more than the part does not settle that")
  void partAgain() {
    assertThat(node.added(3).size()).isEqualTo(2);
    world.pass(Duration.ofSeconds(30));
    node.sync();
    assertReadingBack();
    world.pass(Duration.ofSeconds(31));
    world.way.rewriting(body -> body);
    node.sync();
    assertThat(node.blocked()).isEmpty();
    assertThat(node.addresses().size()).isEqualTo(3);
  }
}
