package io.tidemark.provider.aws;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the AWS provider")
class ArchitectureTest extends ArchitectureRules {}
