@_exported import FootholdCapture
@_exported import FootholdCoaching
@_exported import FootholdEvaluation
@_exported import FootholdExport
@_exported import FootholdPlacement
@_exported import FootholdRendering
@_exported import FootholdScene
@_exported import FootholdTracking
