package notify

import (
	"os/exec"
	"syscall"
)

// toast shows a notification by the Windows runtime, in the name of PowerShell, since an unpackaged program has none.
const toast = `
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)
$texts = $xml.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($xml.CreateTextNode($env:RECOLLECT_TITLE))
$null = $texts.Item(1).AppendChild($xml.CreateTextNode($env:RECOLLECT_BODY))
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\WindowsPowerShell\v1.0\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id).Show([Windows.UI.Notifications.ToastNotification]::new($xml))
`

var program = []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", toast} // a constant

// createNoWindow keeps a console from flashing up.
const createNoWindow = 0x08000000

func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: createNoWindow}
}
