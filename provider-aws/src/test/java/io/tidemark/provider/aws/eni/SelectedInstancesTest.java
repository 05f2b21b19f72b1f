package io.tidemark.provider.aws.eni;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("instance-tags-filter where EC2's answer is late or missing (provider-aws 1.1, 9)")
class SelectedInstancesTest {
  @DisplayName("serves the selected ones alone")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          While EC2 does not tell the tags, reads fail and no instance is served \
            | deny DescribeInstances; join; resync Failed; sync Failed; inventory !Known; permit; \
              resync Synced; sync Synced; inventory Known
          What was selected stays served while EC2 does not tell the tags \
            | join; resync Synced; sync Synced; deny DescribeInstances; 2m; resync Failed; \
              sync Synced; inventory Known
          A late list does not hide that an instance was selected since it was made \
            | join node2; sync Synced node2; inventory Untouchable node2; lateList 2; \
              mark @node2 pool=pods; 1s; sync Synced node2; inventory Known node2; stillLate; \
              listEnds Synced; inventory Known node2
          A listing teaches nothing about instances that are not selected \
            | join; resync Synced; join node2; inventory !Known node2; sync Synced node2; \
              inventory Untouchable node2
          """)
  void story(String what, String story) {
    String selected = "with instanceTags=pool=pods; launch; mark @node1 pool=pods; launch node2; ";
    EniStory.run(new EniWorld(), what, selected + story);
  }
}
