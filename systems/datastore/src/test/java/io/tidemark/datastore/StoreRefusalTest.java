package io.tidemark.datastore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.file.CrashingFiles;
import io.tidemark.testing.ErrorDocs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Refusals")
class StoreRefusalTest {
  @Test
  @DisplayName("docs/errors.md lists every code of the datastore as it is")
  void documented() {
    ErrorDocs.assertListed(1700, 1799, List.of(DatastoreError.class));
    ErrorDocs.assertSound(List.of(DatastoreError.class));
  }

  private static StoreRefusal unreadable(String text) throws IOException {
    CrashingFiles files = new CrashingFiles();
    files.write(Path.of("/run/ipam.json"), text.getBytes(UTF_8));
    Read read = new CheckpointFile(Path.of("/run/ipam.json"), files).read(DataLoss.REFUSED);
    assertThat(read).isInstanceOf(Read.Refused.class);
    return StoreRefusal.unreadable((Read.Refused) read);
  }

  @Test
  @DisplayName("D72 A bad file is refused with code, file, position and remedy")
  void badFile() throws IOException {
    assertThat(unreadable("{\n \"version\": 7}").message())
        .isEqualTo(
            "TM-1711 CHECKPOINT_CORRUPT: /run/ipam.json: line 2, column 13: expected a text,"
                + " found 7. Repair or replace the file, or set allow-data-loss once no pod has an"
                + " address of the node.");
    assertThat(unreadable("{\"version\":\"vpc-cni-ipam/2\"}").message())
        .startsWith("TM-1712 CHECKPOINT_VERSION: /run/ipam.json: its version is 'vpc-cni-ipam/2'");
  }

  @Test
  @DisplayName("D130 No refusal of a request names the container")
  void noContainer() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.assign("secret");
    for (StoreRefusal refusal :
        List.of(
            node.remove("eni-1", "10.0.0.7", Removal.UNUSED_ONLY).orElseThrow(),
            node.store.removeEni("eni-1", Removal.UNUSED_ONLY).orElseThrow(),
            new AssignOutcome.NoAddress(node.none("other")).refusal())) {
      assertThat(refusal.message() + refusal.text()).doesNotContain("secret", "other");
    }
  }
}
